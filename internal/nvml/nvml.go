// Package nvml reads the GPUs of this machine, and which processes hold their memory, by the library of NVIDIA's driver. It
// is loaded when it is first asked; a machine without one says so.
//
// Seven functions of it are used. NVIDIA's binding for Go has hundreds, and its link flags would hide what is missing
// elsewhere in the program.
package nvml

/*
#cgo LDFLAGS: -ldl
#include <stdlib.h>
#include "nvml.h"
*/
import "C"

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"
	"unsafe"

	"github.com/torchleak/torchleak/internal/metrics"
	"github.com/torchleak/torchleak/internal/process"
)

// ErrNone says that there is no NVIDIA driver here.
var ErrNone = errors.New("no NVML: NVIDIA's driver is not installed here, or its libnvidia-ml.so.1 is not visible in this container")

var errNotLoaded = errors.New("no NVML: NVIDIA's driver is installed but not loaded")

// Reader reads the GPUs. There may be one in a program.
type Reader struct {
	path string
	mu   sync.Mutex // the library is not closed under one who reads
	open bool
}

// New returns a reader of the driver's library.
func New() *Reader { return &Reader{path: "libnvidia-ml.so.1"} }

// GPUs returns the devices by their index. After an error the next call begins anew: a driver may come, or be replaced.
func (r *Reader) GPUs() ([]metrics.GPU, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if !r.open {
		path := C.CString(r.path)
		code := C.nvml_open(path)
		C.free(unsafe.Pointer(path))
		if err := fault("loading NVML", code); err != nil {
			return nil, err
		}
		r.open = true
	}
	var count C.uint
	if err := fault("counting the GPUs", C.nvml_count(&count)); err != nil {
		r.close()
		return nil, err
	}
	gpus := []metrics.GPU{}
	for i := range int(count) {
		var device unsafe.Pointer
		if C.nvml_device(C.uint(i), &device) == C.nvml_success {
			gpus = append(gpus, read(i, device))
		}
	}
	return gpus, nil
}

// Close gives the library back.
func (r *Reader) Close() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.close()
}

func (r *Reader) close() {
	if r.open {
		C.nvml_close()
		r.open = false
	}
}

func fault(what string, code C.int) error {
	switch code {
	case C.nvml_success:
		return nil
	case C.nvml_library_not_found:
		return ErrNone
	case C.nvml_driver_not_loaded:
		return errNotLoaded
	}
	return fmt.Errorf("no NVML: %s failed with its code %d; nvidia-smi says what that is", what, int(code))
}

// read reads what a device tells; what it does not tell is left out.
func read(index int, device unsafe.Pointer) metrics.GPU {
	g := metrics.GPU{Index: index, Processes: []metrics.GPUProcess{}}
	var text [96]C.char // as long as NVML's names get
	if C.nvml_uuid(device, &text[0], C.uint(len(text))) == C.nvml_success {
		g.UUID = C.GoString(&text[0])
	}
	if C.nvml_name(device, &text[0], C.uint(len(text))) == C.nvml_success {
		g.Model = C.GoString(&text[0])
	}
	var m C.nvml_memory
	if C.nvml_memory_of(device, &m) == C.nvml_success {
		g.Used, g.Total = uint64(m.used), uint64(m.total)
	}
	for _, p := range append(processes(device, 0), processes(device, 1)...) {
		known := slices.ContainsFunc(g.Processes, func(q metrics.GPUProcess) bool { return q.PID == p.PID })
		if !known && p.Used != unknown {
			p.Command = command(p.PID)
			g.Processes = append(g.Processes, p)
		}
	}
	slices.SortFunc(g.Processes, func(a, b metrics.GPUProcess) int {
		return cmp.Or(cmp.Compare(b.Used, a.Used), cmp.Compare(a.PID, b.PID))
	})
	return g
}

// unknown is what NVML says of memory that it does not know, as in some virtual machines.
const unknown = ^uint64(0)

// maxProcesses bounds the processes of one device.
const maxProcesses = 1 << 12

func processes(device unsafe.Pointer, draw C.int) (all []metrics.GPUProcess) {
	for room := 32; room <= maxProcesses; room *= 2 {
		count, list := C.uint(room), make([]C.nvml_process, room)
		switch C.nvml_processes(device, draw, &count, &list[0]) {
		case C.nvml_insufficient_size:
			continue
		case C.nvml_success:
			for _, p := range list[:min(int(count), room)] {
				all = append(all, metrics.GPUProcess{PID: int(p.pid), Used: uint64(p.used)})
			}
		}
		return all
	}
	return nil
}

// command is what the kernel calls a process, empty for one that is not visible here.
func command(pid int) string {
	text, _ := os.ReadFile(process.File(pid, "comm"))
	return strings.TrimSpace(string(text))
}
