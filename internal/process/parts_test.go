package process

import (
	"os"
	"testing"
)

// A map as Linux writes it: a main heap, an arena of a thread, a thread's stack behind its guard, a kept batch, a library, a
// data file that is mapped, and a block that malloc has mapped.
const smaps = `55d0a0000000-55d0a0800000 rw-p 00000000 00:00 0                          [heap]
Rss:                8000 kB
Private_Clean:         0 kB
Private_Dirty:      6000 kB
Anonymous:          8000 kB
7f0000000000-7f0000100000 rw-p 00000000 00:00 0 
Rss:                1000 kB
Private_Dirty:      1000 kB
Anonymous:          1000 kB
7f0000100000-7f0004000000 ---p 00000000 00:00 0 
Rss:                   0 kB
7f1000000000-7f1000001000 ---p 00000000 00:00 0 
Rss:                   0 kB
7f1000001000-7f1000801000 rw-p 00000000 00:00 0 
Rss:                  40 kB
Private_Dirty:        40 kB
Anonymous:            40 kB
7f2000000000-7f2000100000 rw-s 00000000 00:1b 77                         /dev/shm/torch_9_1_2 (deleted)
Rss:                 512 kB
Private_Dirty:       512 kB
Anonymous:             0 kB
7f3000000000-7f3001000000 r-xp 00000000 08:01 99                         /usr/lib/lib torch.so
Rss:                9000 kB
Private_Clean:      9000 kB
Anonymous:           100 kB
7f4000000000-7f4001000000 r--s 00000000 08:01 98                         /data/features.f32
Rss:               16000 kB
Private_Clean:     16000 kB
Anonymous:             0 kB
7f5000000000-7f5001000000 rw-p 00000000 00:00 0 
Rss:               10000 kB
Private_Dirty:      4000 kB
Anonymous:         10000 kB
`

func TestPartsOf(t *testing.T) {
	const kib = 1 << 10
	got := partsOf(mappings([]byte(smaps)))
	want := Parts{
		Heap: 8000 * kib, Arenas: 1000 * kib, Count: 1, Room: 9 << 20, Stacks: 40 * kib, Other: 10100 * kib,
		Shm: 512 * kib, Files: 24900 * kib, Shared: 8000 * kib,
	}
	if got != want {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
}

// The parts of a process are all of what is resident.
func TestOwnParts(t *testing.T) {
	p, err := ReadParts(os.Getpid())
	if err != nil {
		t.Fatal(err)
	}
	m, err := Read(os.Getpid())
	if err != nil {
		t.Fatal(err)
	}
	sum := p.Heap + p.Arenas + p.Stacks + p.Other + p.Shm + p.Files
	if sum < m.RSS*8/10 || sum > m.RSS*12/10 { // the kernel's own count is a little late
		t.Errorf("parts %+v are %d, resident are %d", p, sum, m.RSS)
	}
	if _, err := ReadParts(1 << 30); err == nil {
		t.Error("a process that is not there has parts")
	}
}
