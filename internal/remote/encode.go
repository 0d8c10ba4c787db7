package remote

import (
	"math"
	"slices"
	"strings"
	"time"

	"google.golang.org/protobuf/encoding/protowire"

	"github.com/torchleak/torchleak/internal/metrics"
)

// labels are those of one series, encoded.
type labels []byte

// body is a message prometheus.WriteRequest of remote write 1.0, which every receiver takes, in the methods by which the library
// asks for its bytes.
type body []byte

// Size is how many bytes there are.
func (b body) Size() int { return len(b) }

// MarshalToSizedBuffer copies them.
func (b body) MarshalToSizedBuffer(to []byte) (int, error) { return copy(to, b), nil }

// Fields of prometheus.WriteRequest and what it holds, by
// https://prometheus.io/docs/specs/prw/remote_write_spec/#protocol.
const (
	requestSeries   = 1
	seriesLabels    = 1
	seriesSamples   = 2
	labelName       = 1
	labelValue      = 2
	sampleValue     = 1
	sampleTimestamp = 2 // milliseconds since the epoch
)

// ended is the value by which a series says that it ends: Prometheus' staleness marker.
var ended = math.Float64frombits(0x7ff0000000000002)

// encode makes the message of the series as they are now. Those of the round before that are gone end: a verdict that has
// changed, a process that is forgotten.
func (w *Writer) encode(series []metrics.Series, now time.Time) *round {
	r := &round{ends: map[string]labels{}}
	gone := w.known
	w.known = make(map[string]labels, len(series))
	for _, s := range series {
		l := w.labels(s)
		key := string(l)
		w.known[key] = l
		delete(gone, key)
		r.add(l, s.Value, now)
	}
	for key, l := range gone {
		r.add(l, ended, now)
		r.ends[key] = l
	}
	return r
}

func (r *round) add(l labels, value float64, now time.Time) {
	var sample, one []byte
	sample = protowire.AppendTag(sample, sampleValue, protowire.Fixed64Type)
	sample = protowire.AppendFixed64(sample, math.Float64bits(value))
	sample = protowire.AppendTag(sample, sampleTimestamp, protowire.VarintType)
	sample = protowire.AppendVarint(sample, uint64(now.UnixMilli()))
	one = append(one, l...)
	one = appendBytes(one, seriesSamples, sample)
	r.body = appendBytes(r.body, requestSeries, one)
	r.samples++
}

// labels encodes the labels of a series, sorted by name as the receiver wants them.
func (w *Writer) labels(s metrics.Series) (out labels) {
	all := append(slices.Clone(s.Labels), [2]string{"__name__", s.Name}, [2]string{"instance", w.config.Instance}, [2]string{"job", "torchleak"})
	slices.SortFunc(all, func(a, b [2]string) int { return strings.Compare(a[0], b[0]) })
	for _, l := range all {
		if l[1] == "" {
			continue // the same as none
		}
		var label []byte
		label = appendBytes(label, labelName, []byte(l[0]))
		label = appendBytes(label, labelValue, []byte(l[1]))
		out = appendBytes(out, seriesLabels, label)
	}
	return out
}

func appendBytes(to []byte, field protowire.Number, b []byte) []byte {
	return protowire.AppendBytes(protowire.AppendTag(to, field, protowire.BytesType), b)
}
