// Package oom reads out-of-memory messages, of every allocator that a training meets, and judges from their figures
// alone what kind of shortage it was. One message is one moment: it never tells whether memory grew up to there.
package oom

// Form is the kind of message, by who refused.
type Form string

// Forms.
const (
	Allocator Form = "allocator" // PyTorch's caching allocator of a device
	Async     Form = "async"     // PyTorch's cudaMallocAsync backend
	MPS       Form = "mps"       // PyTorch's allocator on Apple GPUs
	Host      Form = "host"      // the system refused host memory: PyTorch, NumPy, C++ or Python
	Driver    Form = "driver"    // the device's driver refused, outside PyTorch's allocator
	Library   Form = "library"   // cuBLAS, cuDNN and their like
	NCCL      Form = "nccl"      // a communicator
	Kernel    Form = "kernel"    // the kernel's OOM killer, or a scheduler that reports it
	Worker    Form = "worker"    // a DataLoader worker was killed
	Shm       Form = "shm"       // shared memory is full
	Killed    Form = "killed"    // a process ended by SIGKILL, nothing else is known
)

// Process is what another process, or the one that was killed, holds.
type Process struct {
	PID   int    `json:"pid"`
	Name  string `json:"name,omitempty"`
	Bytes int64  `json:"bytes"`
}

// Message is one message with the figures it gives; what it does not give is nil. PyTorch rounds to two decimals of
// the unit, so sums are right to about as much.
type Message struct {
	Form    Form   `json:"form"`
	Backend string `json:"backend,omitempty"` // cuda, hip, xpu, mps, cpu, …
	Device  *int   `json:"device,omitempty"`
	Library string `json:"library,omitempty"` // whose status it was, for Library
	Rank    *int   `json:"rank,omitempty"`    // as the launcher's prefix says
	Line    int64  `json:"line,omitempty"`    // of the input, from 1
	Text    string `json:"text,omitempty"`

	Requested    *int64    `json:"requested_bytes,omitempty"`   // what was asked of the driver: a small request asks for a whole segment
	Capacity     *int64    `json:"capacity_bytes,omitempty"`    // of the device, or the limit of a control group
	Allowed      *int64    `json:"allowed_bytes,omitempty"`     // by the program's own limit
	Free         *int64    `json:"free_bytes,omitempty"`        // on the device, as the driver says
	Process      *int64    `json:"process_bytes,omitempty"`     // this process on the device, all of it
	Allocated    *int64    `json:"allocated_bytes,omitempty"`   // live blocks of PyTorch
	Reserved     *int64    `json:"reserved_bytes,omitempty"`    // held by PyTorch from the driver
	Unallocated  *int64    `json:"unallocated_bytes,omitempty"` // reserved, and in no live block
	PrivatePools *int64    `json:"private_pool_bytes,omitempty"`
	Elsewhere    *int64    `json:"other_bytes,omitempty"` // of this process, outside PyTorch (MPS)
	Others       []Process `json:"other_processes,omitempty"`
	Victim       *Process  `json:"killed,omitempty"` // what the kernel killed, with its resident memory
	Signal       string    `json:"signal,omitempty"` // of a worker's death
}

// figures reports whether the message says anything in numbers.
func (m *Message) figures() bool {
	return m.Requested != nil || m.Capacity != nil || m.Victim != nil && m.Victim.Bytes > 0
}

// complete derives what follows from the other figures.
func (m *Message) complete() {
	switch {
	case m.Reserved == nil && m.Allocated != nil && m.Unallocated != nil:
		m.Reserved = sum(*m.Allocated, *m.Unallocated)
	case m.Unallocated == nil && m.Allocated != nil && m.Reserved != nil && *m.Reserved >= *m.Allocated:
		m.Unallocated = sum(*m.Reserved, -*m.Allocated)
	}
	if m.Process != nil && *m.Process == 0 {
		m.Process = nil // the driver would not tell
	}
	m.ownEntry()
}

// ownEntry finds this process among the others: in a container its number there is not the one that the driver knows, so
// PyTorch lists it as one more.
func (m *Message) ownEntry() {
	if m.Process != nil || m.Reserved == nil || len(m.Others) != 1 {
		return
	}
	if own := m.Others[0].Bytes; own >= *m.Reserved-*m.Reserved/100 {
		m.Process, m.Others = &own, nil
	}
}

// Outside is what the device holds beside PyTorch's allocator of this process: contexts, libraries, other
// processes. nil where the message does not tell.
func (m *Message) Outside() *int64 {
	if m.Form == MPS {
		return m.Elsewhere
	}
	if m.Capacity == nil || m.Free == nil || m.Reserved == nil {
		return nil
	}
	return sum(max(0, *m.Capacity-*m.Free-*m.Reserved))
}

// Limit is how much there is for this process: its own limit where that is the smaller, else the device.
func (m *Message) Limit() *int64 {
	if m.Allowed != nil && (m.Capacity == nil || *m.Allowed < *m.Capacity) {
		return m.Allowed
	}
	return m.Capacity
}

// Missing is by how much the request failed, at least; nil where the message does not tell, 0 where the figures say that
// it should have fitted.
func (m *Message) Missing() *int64 {
	if m.Requested == nil {
		return nil
	}
	var missing *int64
	if m.Free != nil {
		missing = sum(max(0, *m.Requested-*m.Free))
	}
	if held := m.held(); m.Allowed != nil && held != nil {
		if over := *held + *m.Requested - *m.Allowed; missing == nil || over > *missing {
			missing = sum(max(0, over))
		}
	}
	return missing
}

// held is what counts against the program's own limit.
func (m *Message) held() *int64 {
	if m.Form == MPS && m.Reserved != nil && m.Elsewhere != nil {
		return sum(*m.Reserved, *m.Elsewhere)
	}
	return m.Reserved
}

func sum(figures ...int64) *int64 {
	total := int64(0)
	for _, n := range figures {
		total += n
	}
	return &total
}
