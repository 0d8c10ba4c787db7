package pyflow

import (
	"fmt"
	"github.com/torchleak/torchleak/internal/pysyntax"
	"os"
	"testing"
)

func TestDebug2(t *testing.T) {
	p := os.Getenv("FILES2")
	if p == "" {
		t.Skip()
	}
	f, _ := pysyntax.ParseFile(p)
	x := NewIndex()
	dbg = func(it *interp) {
		ids := map[*value]int{}
		for i, v := range it.values {
			ids[v] = i
		}
		for i, v := range it.values {
			var in []int
			for _, w := range v.in {
				in = append(in, ids[w])
			}
			fmt.Println(i, "op", v.op, "in", in, v.traits, f.LineText(f.Line(f.Node(v.from).Start)), "|", f.Text(v.from)[:min(40, len(f.Text(v.from)))])
		}
		for _, c := range it.cycles {
			fmt.Println("CYC", c.path, ids[c.what], c.loops != nil, fromItself(c.what, Graph))
		}
		for _, c := range it.stores {
			fmt.Println("ST", c.path, ids[c.what], c.loops != nil, c.what.traits)
		}
	}
	x.Module(f)
}
