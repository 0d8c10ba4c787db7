package finding

// Report is what torchleak says of one training process: the --json output.
type Report struct {
	Schema   int         `json:"schema"`
	Tool     Tool        `json:"tool"`
	Target   Target      `json:"target"`
	Steps    Steps       `json:"steps"`
	Verdict  Verdict     `json:"verdict"`
	Memories []Memory    `json:"memories"`
	Findings []Finding   `json:"findings"`
	Sites    []Site      `json:"sites,omitempty"` // where the memory that stays was made, largest growth first
	Host     *Host       `json:"host,omitempty"`  // where the host's memory is
	Cost     *Cost       `json:"cost,omitempty"`
	OOM      *PostMortem `json:"oom,omitempty"`   // the newest time that memory ran out
	Job      *Job        `json:"job,omitempty"`   // where it has several ranks
	Ranks    []Report    `json:"ranks,omitempty"` // one a rank, when several processes trained
	Notes    []string    `json:"notes"`
}

// Tool names the program that made the report.
type Tool struct {
	Name    string `json:"name"`
	Version string `json:"version"`
}

// Target is the watched process.
type Target struct {
	Argv      []string `json:"argv"`
	Exit      *int     `json:"exit,omitempty"` // signals as 128+n
	PID       int      `json:"pid,omitempty"`
	Python    string   `json:"python,omitempty"`
	Torch     string   `json:"torch,omitempty"`
	Rank      int      `json:"rank"`
	WorldSize int      `json:"world_size"`
	Host      string   `json:"host,omitempty"`
	End       *End     `json:"end,omitempty"` // how the process ended, where that is known
	// Attached is there of a process that ran before it was watched.
	Attached *Attached `json:"attached,omitempty"`
	Cwd      string    `json:"-"`
	Began    int64     `json:"-"` // of its first and its last record, nanoseconds since the epoch; 0 = not known
	Latest   int64     `json:"-"`
}

// Attached is what a process that ran already bore for being watched.
type Attached struct {
	StoppedSeconds float64 `json:"stopped_seconds"`  // it stood still for so long, for the way in and, once it was let go, out
	LetGo          bool    `json:"let_go,omitempty"` // it goes on, and nobody watches it any more
}

// End is how a process ended.
type End struct {
	How    string `json:"how"`              // ended, failed, killed, interrupted, vanished
	Signal string `json:"signal,omitempty"` // that killed it, such as SIGKILL
	Status *int   `json:"status,omitempty"` // signals as 128+n; of one that vanished nobody knows
	Nanos  int64  `json:"-"`                // when that was seen, on the clock of its machine
}

// Ways to end.
const (
	Ended       = "ended"
	Failed      = "failed"
	Killed      = "killed"
	Interrupted = "interrupted" // by its user
	Vanished    = "vanished"    // the launcher failed, and this process had not ended by itself
)

// Steps says how time was cut.
type Steps struct {
	Seen   int64  `json:"seen"`
	Warmup int64  `json:"warmup"`
	Clock  string `json:"clock"` // manual, optimizer, backward, forward, data, time; empty: no step was seen
	Marks  []Mark `json:"marks,omitempty"`

	SecondsPerStep *float64 `json:"seconds_per_step,omitempty"` // median of the last
}

// Mark is a step in which something happened that explains the curve.
type Mark struct {
	Kind string `json:"kind"` // evaluation, epoch, evidence
	Step int64  `json:"step"`
}

// Site is growth by the stack that allocated it, innermost frame first.
type Site struct {
	Memory       string  `json:"memory"`
	Frames       []Frame `json:"frames"`
	BytesPerStep int64   `json:"bytes_per_step"`
	Count        *int64  `json:"count,omitempty"` // blocks or tensors alive from here
}

// PhaseGrowth is the growth of one part of the step.
type PhaseGrowth struct {
	Phase        string `json:"phase"` // data, forward, backward, optimizer, evaluation, rest
	BytesPerStep int64  `json:"bytes_per_step"`
}

// Memory is one watched memory and its verdict.
type Memory struct {
	Name           string             `json:"name"`
	Kind           string             `json:"kind"` // device, reserved, outside, host, pinned, shm, worker
	Verdict        Verdict            `json:"verdict"`
	BytesPerStep   *int64             `json:"bytes_per_step,omitempty"`
	Interval       *[2]int64          `json:"interval,omitempty"` // 95 % interval of BytesPerStep
	Period         *int64             `json:"period,omitempty"`   // steps between growths, when more than 1
	SinceStep      *int64             `json:"since_step,omitempty"`
	UntilStep      *int64             `json:"until_step,omitempty"` // growth ended here
	DetectedAtStep *int64             `json:"detected_at_step,omitempty"`
	FirstBytes     *int64             `json:"first_bytes,omitempty"`
	LastBytes      *int64             `json:"last_bytes,omitempty"`
	PeakBytes      *int64             `json:"peak_bytes,omitempty"` // the most seen, between steps too where a counter says it
	LimitBytes     *int64             `json:"limit_bytes,omitempty"`
	StepsToOOM     *int64             `json:"steps_to_oom,omitempty"` // until the nearest limit is reached, at that growth
	SecondsToOOM   *float64           `json:"seconds_to_oom,omitempty"`
	EndsBy         Bound              `json:"ends_by,omitempty"` // which limit that is, where it is not LimitBytes
	Copies         bool               `json:"copies,omitempty"`  // a worker grows by copying what it shares with its parent
	Why            string             `json:"why,omitempty"`     // one sentence: what the verdict rests on
	Phase          string             `json:"phase,omitempty"`
	Phases         []PhaseGrowth      `json:"phases,omitempty"`     // growth by part of the step
	NeedSteps      *int64             `json:"need_steps,omitempty"` // undecided: how many more steps it needs
	Steps          []int64            `json:"steps"`                // x of the series below
	Series         map[string][]int64 `json:"series"`               // allocated, reserved, … one figure per entry of Steps
}

// Aside reports whether the memory is one of the host's that come and go with what the training has started: shared and
// pinned memory, and that of loader workers.
func (m Memory) Aside() bool { return m.Kind == "shm" || m.Kind == "pinned" || m.Kind == "worker" }

// Cost is what watching cost the target.
type Cost struct {
	MicrosecondsPerStep float64 `json:"microseconds_per_step"`
	EvidenceSeconds     float64 `json:"evidence_seconds"` // time the target stood still for evidence
	Evidences           int     `json:"evidences"`
}
