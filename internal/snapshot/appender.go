package snapshot

// row is an entry as it stands in the file.
type row struct {
	addr, size              uint64
	time                    int64
	stack                   uint32
	compile, metadata, more uint32
	lane                    uint16
	kind                    Kind
}

// batchRows is how many rows are handed on at once: enough that handing on costs nothing, and few enough for a core's cache.
const batchRows = 4096

// appender appends rows to a trace while the next ones are decoded: numbering addresses and filling columns takes a third of
// the time of both.
type appender struct {
	trace *Trace
	rows  []row
	full  chan []row // nil until there is a batch
	empty chan []row
	done  chan struct{}
}

// next returns the row to fill in, with whatever an earlier one had.
func (a *appender) next() *row {
	n := len(a.rows)
	if n == batchRows {
		a.hand()
		n = 0
	}
	if n == cap(a.rows) {
		a.rows = append(a.rows, row{})
	}
	a.rows = a.rows[:n+1]
	return &a.rows[n]
}

// hand hands a batch on.
func (a *appender) hand() {
	if a.full == nil {
		a.full, a.empty, a.done = make(chan []row, 1), make(chan []row, 3), make(chan struct{})
		a.empty <- nil
		a.empty <- nil
		go a.run()
	}
	a.full <- a.rows
	a.rows = (<-a.empty)[:0]
}

func (a *appender) run() {
	defer close(a.done)
	for rows := range a.full {
		a.trace.take(rows)
		a.empty <- rows
	}
}

// finish returns when all rows are in the trace.
func (a *appender) finish() {
	if a.full != nil {
		close(a.full)
		<-a.done
	}
	a.trace.take(a.rows)
	a.rows = nil
}

// take appends rows.
func (t *Trace) take(rows []row) {
	for i := range rows {
		r := &rows[i]
		t.mark(metaRun{compile: r.compile, metadata: r.metadata, more: r.more})
		t.add(r)
	}
}
