package finding

// Job is what the ranks of one job have in common and where they differ.
type Job struct {
	ID         string   `json:"id,omitempty"` // as its launcher or scheduler calls it, such as "slurm 77"
	Recordings int      `json:"recordings"`   // that the report is made of
	Hosts      []string `json:"hosts"`
	WorldSize  int      `json:"world_size"`
	Missing    []int    `json:"missing"` // ranks that nothing is known of
	Alike      []Alike  `json:"alike"`   // ranks that do the same, the gravest first
	Odd        []Odd    `json:"odd"`     // what one rank does and the others do not; ends in their order
}

// Alike are the ranks that do the same. The figures are medians.
type Alike struct {
	Ranks        []int   `json:"ranks"`
	Verdict      Verdict `json:"verdict"`
	Memory       string  `json:"memory,omitempty"` // its kind: devices have other numbers on other ranks
	BytesPerStep *int64  `json:"bytes_per_step,omitempty"`
	SinceStep    *int64  `json:"since_step,omitempty"`
	LastBytes    *int64  `json:"last_bytes,omitempty"`
	Rule         string  `json:"rule,omitempty"`
	Name         string  `json:"name,omitempty"`
	Location     *Place  `json:"location,omitempty"`
}

// Place is a line of a source file.
type Place struct {
	File string `json:"file"`
	Line int    `json:"line"`
}

// Odd is one respect in which a rank differs from the others.
type Odd struct {
	Rank    int      `json:"rank"`
	PID     int      `json:"pid,omitempty"`
	Kind    OddKind  `json:"kind"`
	Memory  string   `json:"memory,omitempty"`
	Value   *float64 `json:"value,omitempty"` // bytes per step, bytes, a step, or seconds
	Usual   *float64 `json:"usual,omitempty"` // median of the other ranks
	Signal  string   `json:"signal,omitempty"`
	Devices []string `json:"devices,omitempty"`
}

// OddKind says in what a rank differs.
type OddKind string

// Kinds of odd ranks, in the order in which they are told.
const (
	OddKilled   OddKind = "killed"   // by Signal; Value is its last step
	OddFailed   OddKind = "failed"   // Value is its last step
	OddVanished OddKind = "vanished" // Value is its last step
	OddGrowth   OddKind = "growth"   // bytes per step, among those that leak alike
	OddOnset    OddKind = "onset"    // the step since which it grows, among those that leak alike
	OddSlow     OddKind = "slow"     // seconds per step
	OddBehind   OddKind = "behind"   // steps
	OddLevel    OddKind = "level"    // bytes held
	OddDevices  OddKind = "devices"  // uses Devices, which are other ranks' too
)
