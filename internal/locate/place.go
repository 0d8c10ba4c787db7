package locate

import (
	"strings"

	"github.com/torchleak/torchleak/internal/finding"
	"github.com/torchleak/torchleak/internal/pysyntax"
)

// Action is what a statement does to the memory in question.
type Action string

// Actions of statements. The calls on containers keep their Python names.
const (
	Append       Action = "append"        // also appendleft, put, put_nowait, push
	Extend       Action = "extend"        // also extendleft and list += …
	Insert       Action = "insert"        // list.insert
	Add          Action = "add"           // set.add
	Update       Action = "update"        // dict.update, set.update, Counter.update
	SetDefault   Action = "setdefault"    // d.setdefault(k, v)
	SetItem      Action = "setitem"       // d[k] = v
	Assign       Action = "assign"        // name = v, self.name = v
	AugAssign    Action = "augassign"     // name += v on something that is no container
	SetAttr      Action = "setattr"       // setattr(o, name, v)
	RegisterHook Action = "register_hook" // every register_…_hook call, register_hook on a tensor too
	AddGroup     Action = "add_param_group"
	Register     Action = "register" // register_parameter, register_buffer, add_module, register_module
	Backward     Action = "backward" // .backward(…), autograd.backward, autograd.grad
	Evaluate     Action = "evaluate" // a call that runs a model forward
	Cache        Action = "cache"    // the definition of a function decorated with a cache
	Except       Action = "except"   // an except clause whose name outlives it
	Yield        Action = "yield"
	Return       Action = "return"
	Call         Action = "call"    // any other call
	InPlace      Action = "inplace" // tensor methods that end in an underscore: buf.add_(x)
	Other        Action = "other"
)

// Place is one statement of the user's source, and what it does.
type Place struct {
	Location finding.Location
	Calls    []finding.Frame // stack that led here, innermost first; the statement alone when nothing was seen
	Action   Action
	Target   string // source text of what is written to: `self.history["loss"]`, `total`
	Value    string // source text of what is stored: `loss`; the hook for registrations, the call itself for evaluations
	Function string // enclosing function, "<module>" outside of any, "<lambda>" in one
	Class    string // class whose method Function is, or empty
	InLoop   bool   // stands in a loop (or comprehension) of its own function
	Seen     bool   // seen in the watch, not inferred
	GradOff  bool   // under no_grad or inference_mode, by with statement, decorator or set_grad_enabled(False)

	// What patches need; File is nil when the source could not be read.
	File      *pysyntax.File
	Statement pysyntax.Ref // the whole statement
	Effect    pysyntax.Ref // the call or assignment inside it that writes
	Stored    pysyntax.Ref // the expression whose text is Value
	Scope     pysyntax.Ref // the enclosing function definition or lambda; None on module level
}

// Readable reports whether the statement's source is at hand.
func (p Place) Readable() bool { return p.File != nil && p.Statement != pysyntax.None }

// Unpacks reports whether what is stored is taken apart into several names: it is a tuple, of whatever.
func (p Place) Unpacks() bool {
	return p.Readable() && p.Effect != pysyntax.None && p.Stored == p.File.Child(p.Effect, pysyntax.FieldRight) &&
		p.File.Is(p.File.Child(p.Effect, pysyntax.FieldLeft), pysyntax.PatternList, pysyntax.TuplePattern, pysyntax.ListPattern)
}

// Bounds of an excerpt.
const (
	around        = 3   // lines before and after
	excerptLines  = 16  // altogether
	excerptLength = 240 // bytes of a line
)

// Excerpt returns the source around the place, nil where it could not be read.
func (p Place) Excerpt() *finding.Excerpt {
	if !p.Readable() {
		return nil
	}
	first := max(p.Location.Line-around, 1)
	end := min(max(p.Location.EndLine, p.Location.Line)+around, p.File.LineCount(), first+excerptLines-1)
	excerpt := &finding.Excerpt{Line: first, Lines: []string{}}
	for line := first; line <= end; line++ {
		text := indented(p.File, line)
		if len(text) > excerptLength {
			text = strings.ToValidUTF8(text[:excerptLength], "") + "…"
		}
		excerpt.Lines = append(excerpt.Lines, text)
	}
	if n := len(excerpt.Lines); excerpt.Lines[n-1] == "" {
		excerpt.Lines = excerpt.Lines[:n-1] // after the last end of line
	}
	return excerpt
}

// indented is the text of a line with the blanks that it begins with.
func indented(f *pysyntax.File, line int) string {
	text := f.LineText(line)
	if text == "" {
		return ""
	}
	start, end := f.LineSpan(line)
	rest := string(f.Source[start:end])
	return rest[:len(rest)-len(strings.TrimLeft(rest, " \t\f"))] + text
}
