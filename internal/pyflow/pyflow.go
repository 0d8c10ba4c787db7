// Package pyflow follows values through Python source that never ran: which expressions are tensors, which carry an
// autograd graph, what stores them, and whether what stores them outlives the loop and is ever emptied.
//
// Names prove nothing here. A value is a tensor with a graph because it came out of a module, because somebody calls
// backward on what is made of it, or because it was computed from one; it stops being one through item(), detach(),
// numpy(), a comparison, or under no_grad. What is not known is silent.
package pyflow

import "github.com/torchleak/torchleak/internal/pysyntax"

// Trait is what is known of a value.
type Trait uint32

// Traits. A value has several, or none when nothing is known.
const (
	Tensor      Trait = 1 << iota // a torch.Tensor
	Graph                         // carries a graph that a backward pass can still need: activations hang on it
	Spent                         // carries a graph whose backward ran before: only graph nodes hang on it
	Loss                          // somebody calls backward on it, or on what it is added to
	Activation                    // came out of a module's forward, or is the output or input a hook was given
	Batch                         // came out of a data loader
	View                          // shares the storage of a larger tensor
	Parameter                     // a leaf that is trained
	Net                           // an nn.Module
	Optimizer                     // a torch optimizer
	Exception                     // a caught exception, which holds its traceback's frames
	StateDict                     // a state_dict, or a deep copy of a module
	Number                        // a Python number, string or other plain value: nothing hangs on it
	Callable                      // a function, method or lambda of the source
	LoaderValue                   // a data loader or an iterator of one
	Owner                         // an object of a class of the source
	Array                         // a numpy array, or a list of numbers made of a tensor
	Differs                       // a callable whose result carries the graph of what it is given: a loss function
	Sized                         // surely has a dimension, and is no single number: an output, a batch, what is computed from one element by element
)

// Value is what an expression evaluates to, as far as it is known.
type Value struct {
	Traits Trait
	From   pysyntax.Ref // the expression that made it, None where it came from elsewhere
	Class  string       // qualified name of its class where it is known: "torch.nn.modules.rnn.GRU", "mine.Meter"
	Parts  Trait        // of a container: the traits of what is in it, all together
}

// Has reports whether v has all of traits.
func (v Value) Has(traits Trait) bool { return v.Traits&traits == traits }

// Any reports whether v has one of traits.
func (v Value) Any(traits Trait) bool { return v.Traits&traits != 0 }

// Scope says where a holder lives.
type Scope uint8

// Scopes of holders.
const (
	Local      Scope = iota // a variable of the function that stores
	Closure                 // a variable of an enclosing function
	Global                  // a variable of the module
	Attribute               // an attribute of an object: self.losses
	ClassLevel              // an attribute of a class
	Default                 // a mutable default argument
	Argument                // a container the caller handed in
)

// Holder is a container or variable that is given values.
type Holder struct {
	Path  string // as the source says it: "self.history['loss']"
	Scope Scope
	Type  string       // list, dict, set, deque, queue, counter, module list, tensor (for sums); empty when not known
	Made  pysyntax.Ref // the expression that makes it, None where that is not in sight

	Bounded  bool // cannot grow without end: deque(maxlen=…), a ring, a guard on its length, keys out of a fixed set
	Emptied  bool // something in the loop, or something called once a step or epoch, empties or replaces it
	Consumed bool // backward is called on something made of what is in it
}

// How says in which way a value is stored.
type How uint8

// Ways of storing.
const (
	Appended How = iota // append, extend, add, insert, put, appendleft, update, +=[…]
	Keyed               // d[k] = v, setdefault, where the key changes
	Summed              // total += v, total = total + v
	Assigned            // self.x = v, global x: one value at a time
	Carried             // the new value is computed from the old one that is stored under the same name
	Concats             // x = torch.cat([x, v]): grows as a tensor
)

// Store is one place where a value is put into something that may outlive it.
type Store struct {
	At     pysyntax.Ref // the statement
	Value  pysyntax.Ref // the expression stored
	What   Value
	Holder *Holder
	How    How
	Loop   *Loop          // the innermost loop around it that the holder outlives; nil where calls of the function repeat it
	Again  bool           // it happens again and again with the holder living on: in a loop, or in a method, hook or forward
	Via    []Callee       // calls through which the value gets there, outermost first; the last one stores
	Shown  []pysyntax.Ref // the expressions in what is stored that carry the graph or are the tensors, where they are written out
	Mode   Mode
	Term   pysyntax.Ref // of sums: what is added
	Made   pysyntax.Ref // the call of a module that the value came out of, in the same file; None where not in sight
	Guard  bool         // of Keyed: stored only where the key is not there yet
	If     bool         // stands under a condition within the loop
	Site   Site         // where the holder is given it, maybe in another file
}

// Site is the statement that gives a holder a value.
type Site struct {
	File  *pysyntax.File
	At    pysyntax.Ref   // the statement
	Value pysyntax.Ref   // the expression stored
	Shown []pysyntax.Ref // as in Store
}

// Callee is a function of the source that a call reaches, maybe in another file.
type Callee struct {
	File *pysyntax.File
	Node pysyntax.Ref   // the function definition
	Call pysyntax.Ref   // the call, in the file of the caller
	From *pysyntax.File // the file of the caller
}

// Loop is a for or while statement, or a comprehension.
type Loop struct {
	Node   pysyntax.Ref
	Outer  *Loop
	Loader bool // goes over a data loader
	Epochs bool // has a loop over batches in it
	Trains bool // backward or optimizer.step is called in it, in it directly or through a call
	Feeds  bool // gives the items of a data set, one in each round
	Once   bool // is left in its first round
}

// Role is what a function is to PyTorch.
type Role uint8

// Roles of functions.
const (
	Plain            Role = iota
	Forward               // forward of an nn.Module, or what only forward calls
	Hook                  // registered as a hook on a module or tensor
	FunctionForward       // forward of a torch.autograd.Function
	FunctionBackward      // its backward
	TrainingStep          // training_step of a LightningModule and the like
	EvaluationStep        // validation_step, test_step, predict_step, or called in evaluation only
	TopLevel              // the module's own code
)

// Mode is how a place runs, as far as the source says.
type Mode struct {
	NoGrad     bool // under no_grad or inference_mode, by context, decorator, set_grad_enabled(False) or every caller
	Evaluation bool // behind .eval() with no .train() since, or a loop that never calls backward while another one does
}

// Call is one call, with its callee named as imports say: "torch.cuda.empty_cache", "torch.nn.Module.eval".
type Call struct {
	Node     pysyntax.Ref
	Name     string // qualified; methods of known classes by their class; ".append" where the object is not known
	Object   Value  // what the method is called on
	Args     []Arg
	Result   Value
	Loop     *Loop // the innermost loop around it
	Mode     Mode
	Callee   *Callee // where it is a function of the source
	Function *Function
}

// Arg is one argument.
type Arg struct {
	Name string // of keywords
	Node pysyntax.Ref
	What Value
}

// Function is one function, method, lambda, or the module's own code.
type Function struct {
	Node   pysyntax.Ref // None for the module's own code
	Name   string       // qualified within the file: "Trainer.validate"
	Role   Role
	Mode   Mode // of its body as a whole
	Loops  []*Loop
	Stores []*Store
	Calls  []*Call
	Result Value // of one with a cache: what it returns, all ways together
}

// Module is what is known of one file.
type Module struct {
	File      *pysyntax.File
	Functions []*Function                         // the module's own code first, then in order of the source
	Torch     bool                                // imports torch or something that does: without that there is nothing to find
	Near      func() []*pysyntax.File             // the files of the same folder that are looked at together, this one among them
	Defining  func(class string) []*pysyntax.File // those of Near that may define a class of that name
	Left      int                                 // functions that were not gone through, since the file is too much work
}
