package finding

// PostMortem is what was alive when memory ran out, for the newest time that it did.
type PostMortem struct {
	Memory  string  `json:"memory"`
	Verdict Verdict `json:"verdict"` // of the growth up to there, where the run tells; else of the figures of that moment
	Fatal   bool    `json:"fatal"`   // the program ended of it
	Count   int64   `json:"count"`   // how often a request was refused in this process
	Step    int64   `json:"step"`    // steps that were done
	Text    string  `json:"text,omitempty"`
	During  string  `json:"during,omitempty"` // backward, where a backward pass was under way
	At      []Frame `json:"at"`               // the user's frames that asked, innermost first

	RequestedBytes *int64 `json:"requested_bytes,omitempty"`
	LimitBytes     *int64 `json:"limit_bytes,omitempty"`
	FreeBytes      *int64 `json:"free_bytes,omitempty"`
	AllocatedBytes *int64 `json:"allocated_bytes,omitempty"`
	ReservedBytes  *int64 `json:"reserved_bytes,omitempty"`
	MissingBytes   *int64 `json:"missing_bytes,omitempty"` // for this request, at least

	Alive   []Alive       `json:"alive"`   // by category, each storage once
	Largest []LiveTensors `json:"largest"` // tensors alike, the most bytes first
	Modules []ModuleSaved `json:"modules"` // what graphs hold of their activations, the most first
	Lines   []LiveLine    `json:"lines"`   // live blocks by the line that made them, where the allocation history was on

	Why     []string `json:"why"`
	Unknown []string `json:"unknown"`
	Next    []string `json:"next"`
}

// Alive is one category of live memory: parameter, buffer, gradient, optimizer state, activation, other (of tensors that
// Python knows), graph (saved for backward, known to no Python name), unseen (allocated, and none of these).
type Alive struct {
	Category string `json:"category"`
	Bytes    int64  `json:"bytes"`
	Count    *int64 `json:"count,omitempty"`
}

// LiveTensors are live tensors alike.
type LiveTensors struct {
	Category string  `json:"category"`
	Shape    []int64 `json:"shape"`
	Dtype    string  `json:"dtype"`
	Bytes    int64   `json:"bytes"`
	Count    int64   `json:"count"`
	Name     string  `json:"name,omitempty"` // a name of a running function for one of them
	At       *Frame  `json:"at,omitempty"`   // that function, at the line where it stood
}

// ModuleSaved is what graphs have saved of the activations of modules alike, such as all layers.* of type Block.
type ModuleSaved struct {
	Module string `json:"module"`
	Type   string `json:"type"`
	Bytes  int64  `json:"bytes"`
	Count  int64  `json:"count"`
}

// LiveLine is live memory by the stack that allocated it, innermost first.
type LiveLine struct {
	Frames []Frame `json:"frames"`
	Bytes  int64   `json:"bytes"`
	Count  int64   `json:"count"`
}
