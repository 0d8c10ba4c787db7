package pyflow

import "strings"

var traitNames = []string{"tensor", "graph", "spent", "loss", "activation", "batch", "view", "parameter", "net", "optimizer", "exception",
	"state dict", "hook handle", "number", "callable", "loader", "owner", "array", "differs"}

// String lists the traits.
func (t Trait) String() string {
	var names []string
	for i, name := range traitNames {
		if t&(1<<i) != 0 {
			names = append(names, name)
		}
	}
	return strings.Join(names, "|")
}
