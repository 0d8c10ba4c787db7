package cli

import (
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"github.com/torchleak/torchleak/internal/report/simulation"
	"github.com/torchleak/torchleak/internal/simulate"
	"github.com/torchleak/torchleak/internal/snapshot"
)

type snapshotSimulate struct {
	colourless
	File string `arg:"" help:"What torch.cuda.memory._dump_snapshot wrote, with a trace; also as .gz, .xz or .zst; - reads standard input."`

	Conf     []string `sep:"none" placeholder:"K:V,…" help:"Settings to try, as in PYTORCH_CUDA_ALLOC_CONF; repeat for more, \"\" is the default. None: the usual ones."`
	Fraction float64  `placeholder:"F" help:"Share of the device that the process may use, as in set_per_process_memory_fraction."`
	Capacity byteSize `placeholder:"BYTES" help:"Memory of the device for the allocator, such as 80GiB."`
	Device   int      `default:"-1" placeholder:"N" help:"Device to simulate; default the one with the longest trace."`
	JSON     string   `name:"json" output:"" placeholder:"FILE" help:"Write the result as JSON (- for standard output)."`
	Quiet    bool     `short:"q" help:"Say nothing but errors."`
	Lang     string   `enum:"en,zh" default:"en" help:"Language for people: en or zh."`
}

// Run simulates.
func (c *snapshotSimulate) Run(stdio Stdio) error {
	if c.Fraction < 0 || c.Fraction > 1 {
		return &usageError{"--fraction is a share, from 0 to 1"}
	}
	result, err := c.simulate(stdio.In)
	if err != nil {
		return err
	}
	return tables{JSON: c.JSON, Quiet: c.Quiet}.write(stdio, func(w io.Writer) error { return simulation.WriteJSON(w, result) },
		func(w io.Writer) error { return simulation.WriteText(w, result, c.Lang) })
}

func (c *snapshotSimulate) simulate(stdin io.Reader) (simulation.Device, error) {
	s, err := openSnapshot(c.File, stdin)
	if err != nil {
		return simulation.Device{}, err
	}
	d, err := c.device(s)
	if err != nil {
		return simulation.Device{}, err
	}
	result, err := simulate.Simulate(simulate.Recorded(s, d), simulate.Options{Confs: c.Conf, Fraction: c.Fraction, Capacity: uint64(c.Capacity)})
	var conf *simulate.ConfError
	switch {
	case errors.As(err, &conf):
		return simulation.Device{}, &usageError{"--conf: " + err.Error()}
	case errors.Is(err, simulate.ErrNoCapacity):
		return simulation.Device{}, &usageError{err.Error() + ": give --capacity, the second number of torch.cuda.mem_get_info()"}
	case errors.Is(err, simulate.ErrNoTrace):
		return simulation.Device{}, &UserError{fmt.Errorf("%s: %w", named(c.File), err),
			"Call torch.cuda.memory._record_memory_history() before the training, then dump the snapshot again."}
	}
	for _, other := range s.Devices {
		if other.Recorded && other.Index != d.Index && c.Device < 0 && err == nil {
			result.Notes = append(result.Notes, fmt.Sprintf("cuda:%d has a trace too: --device %d", other.Index, other.Index))
		}
	}
	return simulation.Device{Index: d.Index, Result: result}, err
}

// device picks the one named, else the one with most to replay.
func (c *snapshotSimulate) device(s *snapshot.Snapshot) (longest snapshot.Device, err error) {
	for _, d := range s.Devices {
		if d.Index == c.Device {
			return d, nil
		}
		if d.To-d.From > longest.To-longest.From {
			longest = d
		}
	}
	if c.Device >= 0 {
		return longest, &usageError{fmt.Sprintf("the snapshot says nothing of cuda:%d", c.Device)}
	}
	return longest, nil
}

// byteSize is a number of bytes, also with a unit.
type byteSize uint64

// UnmarshalText reads 85899345920, 80GiB or 80GB.
func (b *byteSize) UnmarshalText(text []byte) error {
	number, unit := strings.TrimSpace(string(text)), float64(1)
	for i, prefix := range "KMGT" {
		for suffix, base := range map[string]float64{"iB": 1024, "B": 1000} {
			if n, ok := strings.CutSuffix(number, string(prefix)+suffix); ok {
				number, unit = n, math.Pow(base, float64(i+1))
			}
		}
	}
	n, err := strconv.ParseFloat(strings.TrimSpace(strings.TrimSuffix(number, "B")), 64)
	if err != nil || !(n >= 0 && n*unit < 1<<60) {
		return fmt.Errorf("%q is no number of bytes, such as 85899345920 or 80GiB", text)
	}
	*b = byteSize(n * unit)
	return nil
}
