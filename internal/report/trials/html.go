package trials

import (
	"bytes"
	"embed"
	"fmt"
	"html/template"
	"io"
	"strings"

	"github.com/torchleak/torchleak/internal/report/page"
	"github.com/torchleak/torchleak/internal/report/phrase"
)

//go:embed page.html
var files embed.FS

var (
	style = page.Style("")
	pages = page.Templates(files)
)

// contents is what the template shows.
type contents struct {
	Result
	Policy string
	Style  template.CSS
	Drawn  []drawn
}

// drawn is a curve as the points of a line in a box of width by height.
type drawn struct {
	Curve
	Class, Points string
}

// How large the box of the curves is, in its own units.
const (
	width  = 1000
	height = 260
)

// WriteHTML writes one page for a browser that needs no network and no script.
func WriteHTML(w io.Writer, r Result) error {
	p := contents{Result: r, Policy: page.Policy(style, ""), Style: template.CSS(style), Drawn: draw(r.Curves)}
	var out bytes.Buffer
	if err := pages(phrase.In(r.Lang).Lang).ExecuteTemplate(&out, "page.html", p); err != nil {
		return fmt.Errorf("writing the page: %w", err)
	}
	_, err := w.Write(out.Bytes())
	return err
}

// draw draws all curves to one scale.
func draw(curves []Curve) []drawn {
	var low, high int64
	longest := 0
	for _, c := range curves {
		longest = max(longest, len(c.Values))
		for _, v := range c.Values {
			low, high = min(low, v), max(high, v)
		}
	}
	var all []drawn
	for i, c := range curves {
		var points strings.Builder
		for at, v := range c.Values {
			x := width * float64(at) / float64(max(1, longest-1))
			y := height * (1 - (float64(v)-float64(low))/max(1, float64(high)-float64(low)))
			fmt.Fprintf(&points, "%.1f,%.1f ", x, y)
		}
		all = append(all, drawn{c, fmt.Sprintf("c%d", i), strings.TrimSpace(points.String())})
	}
	return all
}
