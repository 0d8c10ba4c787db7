package finding

import (
	"strings"
	"testing"
)

func TestScript(t *testing.T) {
	for line, want := range map[string]string{
		"torchrun --nproc-per-node 2 train.py --data x.csv":               "train.py",
		"torchrun --nproc-per-node 2 -m pkg.train --config conf.py":       "pkg.train",
		"accelerate launch --num_processes 2 --module pkg.train conf.py":  "pkg.train",
		"/v/bin/python3 /v/bin/torchrun --nproc-per-node 2 train.py":      "train.py",
		"python -m torch.distributed.run --nproc-per-node 2 src/train.py": "src/train.py",
		"python -m torch.distributed.run --nproc-per-node 2 -m pkg.train": "pkg.train",
		"python3.14t -m pkg.train --config conf.py":                       "pkg.train",
		"python train.py -m model --config conf.py":                       "train.py",
		"python -u train --config conf.py":                                "train",
		"/usr/bin/python3 -X dev -W ignore -u bin/train --config conf.py": "bin/train",
		"srun -m block numactl -N 0 python -u train":                      "train",
		"uv run python -u train conf.py":                                  "train",
		"python -c import_os x.py":                                        "python",
		"python - x.py":                                                   "python",
		"python -u":                                                       "python",
		"./job --lr 1":                                                    "./job",
		"-m":                                                              "-m",
		"":                                                                "",
	} {
		if got := (Target{Argv: strings.Fields(line)}).Script(); got != want {
			t.Errorf("%q is known by %q, want %q", line, got, want)
		}
	}
}

func TestLaunches(t *testing.T) {
	for line, want := range map[string]bool{
		"torchrun --nproc-per-node 2 train.py":                     true,
		"/v/bin/python3 /v/bin/torchrun --nproc-per-node 2 -m pkg": true,
		"python -m torch.distributed.run train.py":                 true,
		"python -m torch.distributed.run -m pkg.train":             true,
		"accelerate launch train.py":                               true,
		"python train.py --launcher torchrun":                      false,
		"python -u -m pkg.train accelerate":                        false,
		"uv run python train.py":                                   false,
		"":                                                         false,
	} {
		if got := (Target{Argv: strings.Fields(line)}).Launches(); got != want {
			t.Errorf("%q launches: %v, want %v", line, got, want)
		}
	}
}
