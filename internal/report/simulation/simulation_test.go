package simulation

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"testing"

	"github.com/torchleak/torchleak/internal/simulate"
	"github.com/torchleak/torchleak/internal/snapshot"
)

var update = flag.Bool("update", false, "write the expected files anew")

func device(t *testing.T, name string, o simulate.Options) Device {
	t.Helper()
	s, err := snapshot.Open("../../simulate/testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	result, err := simulate.Simulate(simulate.Recorded(s, s.Devices[0]), o)
	if err != nil {
		t.Fatal(err)
	}
	return Device{s.Devices[0].Index, result}
}

func TestText(t *testing.T) {
	for name, d := range map[string]Device{
		"advice":     device(t, "trace_default.pickle.gz", simulate.Options{}),
		"limit":      device(t, "gpt_9.pickle.gz", simulate.Options{Capacity: 2100 << 20, Confs: []string{"", "expandable_segments:True", "garbage_collection_threshold:0.8"}}),
		"divergence": device(t, "cnn_4.pickle.gz", simulate.Options{Confs: []string{"garbage_collection_threshold:0.5"}}),
	} {
		var got bytes.Buffer
		if err := WriteText(&got, d, "en"); err != nil {
			t.Fatal(err)
		}
		path := filepath.Join("testdata", name+".txt")
		if *update {
			if err := os.WriteFile(path, got.Bytes(), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(got.Bytes(), want) {
			t.Errorf("%s: got\n%s\nwant\n%s", name, got.Bytes(), want)
		}
	}
}

// The names that other programs rely on.
func TestJSON(t *testing.T) {
	var out bytes.Buffer
	if err := WriteJSON(&out, device(t, "cnn_0.pickle.gz", simulate.Options{Confs: []string{""}})); err != nil {
		t.Fatal(err)
	}
	var got struct {
		Schema int
		Replay struct {
			Events, Exact   int
			FirstDivergence *json.RawMessage `json:"first_divergence"`
		}
		Configs []struct {
			Conf         *string
			PeakReserved uint64 `json:"peak_reserved_bytes"`
			Interval     []uint64
			Retries      *int
			OOM          *bool
		}
		Advice, Notes []json.RawMessage
	}
	if err := json.Unmarshal(out.Bytes(), &got); err != nil {
		t.Fatal(err)
	}
	if got.Schema != 1 || got.Replay.Events != 9215 || got.Replay.Exact != 9215 || len(got.Configs) != 1 || got.Advice == nil || got.Notes == nil {
		t.Fatalf("%s", out.Bytes())
	}
	// The peak is what torch.cuda.memory_stats said at the end of that run.
	c := got.Configs[0]
	if c.Conf == nil || c.Retries == nil || c.OOM == nil || len(c.Interval) != 2 || c.PeakReserved != 2812280832 {
		t.Errorf("%s", out.Bytes())
	}
}

// The page shows what is printed.
func TestPage(t *testing.T) {
	page, err := os.ReadFile("../../../docs/simulate.md")
	if err != nil {
		t.Fatal(err)
	}
	shown, err := os.ReadFile("testdata/advice.txt")
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Contains(page, shown) {
		t.Error("docs/simulate.md does not show the text of testdata/advice.txt")
	}
}
