package rule

import (
	"github.com/torchleak/torchleak/internal/patch"
	"github.com/torchleak/torchleak/internal/pyflow"
	"github.com/torchleak/torchleak/internal/pysyntax"
)

// Severity says what a static finding costs.
type Severity string

// Severities, gravest first.
const (
	Heavy  Severity = "error"   // activations or whole tensors stay: the device fills up
	Light  Severity = "warning" // graph nodes or small tensors stay: the host's memory creeps up
	Remark Severity = "note"    // no leak: a remedy that does not help, or a habit that hides one
)

// Pass is one file in front of a rule's static check.
type Pass struct {
	Flow *pyflow.Module
	File *pysyntax.File // Flow.File

	Report func(Mark)

	reads  map[holderKey]Reads // of holders that were asked for
	looked int                 // nodes that were gone through for them
}

// Mark is one statement that a check finds fault with.
type Mark struct {
	At       pysyntax.Ref // the statement, or the expression in it
	Severity Severity
	Why      string // one or two sentences that name the value and the holder
	Fix      *Edit  // nil: the page says what to do
	Further  *Edit  // ends the growth that Fix leaves, on top of it; never safe
}

// Edit is a change of the file that ends the fault.
type Edit struct {
	Summary string
	Safe    bool // what the training computes stays the same
	Edits   []patch.Edit
	Cuts    bool           // it takes the graph away from what is kept, and does nothing else
	File    *pysyntax.File // that Edits change, nil: the file of the pass
}
