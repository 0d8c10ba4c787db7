package junit

import (
	"bytes"
	"encoding/xml"
	"flag"
	"os"
	"slices"
	"strconv"
	"testing"
)

var update = flag.Bool("update", false, "rewrite the golden file")

func sample() Suite {
	return Suite{
		Name: "torchleak smoke", Seconds: 12.3456, Out: "149 steps are fewer than 150",
		Properties: []Property{{"torch", "2.15.0"}, {"command", `python train.py --name "a<b>&c"`}},
		Cases: []Case{
			{Class: "torchleak.smoke", Name: "training", Seconds: 12.3456},
			{Class: "torchleak.smoke.rank1", Name: "cuda:0 growth",
				Failure: &Problem{"cuda:0 grew by 12.0 MiB", "leak", "train.py:57 feats.append(output)\n\x1b[31m\x00 ]]> & 内存"}},
			{Class: "torchleak.smoke", Name: "host growth", Error: &Problem{Message: "too few steps"}},
			{Class: "torchleak.smoke", Name: "cuda:1 growth", Skipped: &Problem{Message: "cannot be read", Type: "undecided"}},
			{Class: "torchleak.smoke", Name: "cuda:2 growth", Out: "cuda:2 held as much"},
		},
	}
}

func TestGolden(t *testing.T) {
	var b bytes.Buffer
	if err := Write(&b, sample()); err != nil {
		t.Fatal(err)
	}
	const golden = "testdata/sample.xml"
	if *update {
		if err := os.WriteFile(golden, b.Bytes(), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(b.Bytes(), want) {
		t.Errorf("got\n%s\nwant\n%s", b.Bytes(), want)
	}
}

// element is any XML element.
type element struct {
	XMLName  xml.Name
	Attrs    []xml.Attr `xml:",any,attr"`
	Text     string     `xml:",chardata"`
	Elements []element  `xml:",any"`
}

func (e element) attr(name string) string {
	for _, a := range e.Attrs {
		if a.Name.Local == name {
			return a.Value
		}
	}
	return ""
}

// allowed is what the schema of Jenkins' xUnit plugin (junit-10.xsd) lets an element have. It does not mind the order of
// elements within another; stricter schemas want this one.
var allowed = map[string]struct{ attrs, elements []string }{
	"testsuites": {[]string{"name", "time", "tests", "failures", "errors"}, []string{"testsuite"}},
	"testsuite": {[]string{"name", "tests", "failures", "errors", "group", "time", "skipped", "timestamp", "hostname", "id", "package", "file", "log", "url"},
		[]string{"properties", "testcase", "system-out", "system-err"}},
	"properties": {nil, []string{"property"}},
	"property":   {[]string{"name", "value"}, nil},
	"testcase":   {[]string{"name", "time", "classname", "group"}, []string{"skipped", "error", "failure", "system-out", "system-err"}},
	"failure":    {[]string{"type", "message"}, nil},
	"error":      {[]string{"type", "message"}, nil},
	"skipped":    {[]string{"type", "message"}, nil},
	"system-out": {nil, nil},
}

// check returns the places where e is not as allowed.
func check(e element) (wrong []string) {
	rule, known := allowed[e.XMLName.Local]
	if !known {
		return []string{e.XMLName.Local}
	}
	for _, a := range e.Attrs {
		if !slices.Contains(rule.attrs, a.Name.Local) {
			wrong = append(wrong, e.XMLName.Local+"@"+a.Name.Local)
		}
	}
	last := -1
	for _, child := range e.Elements {
		at := slices.Index(rule.elements, child.XMLName.Local)
		if at < 0 || at < last {
			wrong = append(wrong, e.XMLName.Local+"/"+child.XMLName.Local)
		}
		last = max(last, at)
		wrong = append(wrong, check(child)...)
	}
	return wrong
}

func TestShape(t *testing.T) {
	var b bytes.Buffer
	if err := Write(&b, sample()); err != nil {
		t.Fatal(err)
	}
	var root element
	if err := xml.Unmarshal(b.Bytes(), &root); err != nil {
		t.Fatal(err)
	}
	for _, place := range check(root) {
		t.Errorf("%s is not allowed", place)
	}
	suite := root.Elements[0]
	counted := map[string]int{}
	for _, e := range suite.Elements {
		if e.XMLName.Local != "testcase" {
			continue
		}
		counted["tests"]++
		for _, inner := range e.Elements {
			counted[map[string]string{"failure": "failures", "error": "errors", "skipped": "skipped"}[inner.XMLName.Local]]++
		}
	}
	for _, name := range []string{"tests", "failures", "errors", "skipped"} {
		if got, _ := strconv.Atoi(suite.attr(name)); got != counted[name] || got == 0 {
			t.Errorf("%s=%q, and there are %d", name, suite.attr(name), counted[name])
		}
	}
	if planted := check(element{XMLName: xml.Name{Local: "testsuite"}, Elements: []element{{XMLName: xml.Name{Local: "system-out"}}, {XMLName: xml.Name{Local: "testcase"}}}}); len(planted) != 1 {
		t.Errorf("a suite in the wrong order gives %v", planted)
	}
}
