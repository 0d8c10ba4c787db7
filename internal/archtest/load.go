package archtest

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path"
	"strings"
)

// source is one Go file.
type source struct {
	path      string // from the module's root
	pkg       string // its folder; "" for the root
	test      bool
	generated bool
	lines     int
	fset      *token.FileSet
	ast       *ast.File
}

// load parses all Go files of the module. Whether they build is not its concern.
func load(root fs.FS) ([]source, error) {
	var found []source
	err := fs.WalkDir(root, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			if base := d.Name(); name != "." && (base == "testdata" || strings.HasPrefix(base, ".")) {
				return fs.SkipDir
			}
			return nil
		}
		if !strings.HasSuffix(name, ".go") {
			return nil
		}
		text, err := fs.ReadFile(root, name)
		if err != nil {
			return err
		}
		s, err := parse(name, text)
		found = append(found, s)
		return err
	})
	return found, err
}

func parse(name string, text []byte) (source, error) {
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, name, text, parser.ParseComments)
	if err != nil {
		return source{}, err
	}
	pkg := path.Dir(name)
	if pkg == "." {
		pkg = ""
	}
	return source{
		path:      name,
		pkg:       pkg,
		test:      strings.HasSuffix(name, "_test.go"),
		generated: ast.IsGenerated(file),
		lines:     strings.Count(string(text), "\n"),
		fset:      fset,
		ast:       file,
	}, nil
}

// imports returns the import paths of the file, each with the name it has there.
func (s source) imports() map[string]string {
	found := map[string]string{}
	for _, spec := range s.ast.Imports {
		target := strings.Trim(spec.Path.Value, `"`)
		name := path.Base(target)
		if spec.Name != nil {
			name = spec.Name.Name
		}
		found[target] = name
	}
	return found
}

// at returns where a node begins, as path:line.
func (s source) at(n ast.Node) string {
	p := s.fset.Position(n.Pos())
	p.Column = 0
	return p.String()
}
