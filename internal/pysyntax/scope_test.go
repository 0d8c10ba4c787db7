package pysyntax

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestScopes(t *testing.T) {
	f := mustParse(t, `
import a.b, c.d as e
from f import g as h, i

def outer(p, *args, q: int = 1, **kw):
    n = 0
    def inner():
        nonlocal n
        global m
        n = m = [v for v in n if (w := v)]
        with p as (s, t):
            use = n, m, v, w, s, h
    class C:
        attr = 1
        same = attr
        def method(self):
            return attr, self, args, q, kw
    return lambda x: x + n
match i:
    case [k, C(z=1)]: pass
`)
	s := NewScopes(f)
	got := map[string][]string{}
	for r := range f.Walk(None) {
		if f.Kind(r) != Identifier {
			continue
		}
		name := f.Text(r)
		where := "module"
		if scope := s.Resolve(name, r); scope != None {
			where = f.Kind(scope).String()
			if n := f.Name(scope); n != "" {
				where = n
			}
		}
		if list := got[name]; len(list) == 0 || list[len(list)-1] != where {
			got[name] = append(list, where)
		}
	}
	for name, want := range map[string][]string{
		"m": {"module"}, "h": {"module"}, "e": {"module"}, "k": {"module"}, "n": {"outer"}, "w": {"inner"},
		"s": {"inner"}, "attr": {"C", "module"}, "q": {"module", "outer"}, "v": {"list_comprehension", "module"},
	} {
		if d := cmp.Diff(want, got[name]); d != "" {
			t.Errorf("%s: %s", name, d)
		}
	}
	if d := cmp.Diff([]string{"p", "args", "q", "kw"}, f.Parameters(f.Statement(f.StatementsAt(5)[0]))); d != "" {
		t.Error(d)
	}
}
