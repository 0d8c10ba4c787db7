package simulate

import (
	"syscall"
	"testing"
	"time"
)

// perCore reports the entries for each second of processor time, which other programs on the machine touch less
// than the wall clock.
func perCore(b *testing.B, events int, start time.Duration) {
	b.ReportMetric(float64(events*b.N)/(processorTime()-start).Seconds()/1e6, "Mentries/s/core")
}

func processorTime() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		panic(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

func BenchmarkReplay(b *testing.B) {
	trace := load(b, whole)
	start := processorTime()
	for b.Loop() {
		compile(trace).replay(0)
	}
	perCore(b, len(trace.Events), start)
}

func BenchmarkOtherSettings(b *testing.B) {
	trace := load(b, whole)
	p := compile(trace)
	for _, conf := range usual {
		s := mustParse(b, conf)
		b.Run(conf, func(b *testing.B) {
			start := processorTime()
			for b.Loop() {
				p.run(s, &card{place: likeDriver(1 << 47)}, 0, packed)
			}
			perCore(b, len(trace.Events), start)
		})
	}
}
