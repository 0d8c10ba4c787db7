// Package junit writes test results as JUnit XML, the form that Jenkins, GitLab and most other build servers read. There
// is no standard; this is what the schema of Jenkins' xUnit plugin (junit-10.xsd) allows, which GitLab takes too.
package junit

import (
	"encoding/xml"
	"fmt"
	"io"
)

// Suite is one run.
type Suite struct {
	Name       string
	Seconds    float64
	Properties []Property
	Cases      []Case
	Out        string // what was said of the run as a whole
}

// Property is a fact about the run.
type Property struct {
	Name  string `xml:"name,attr"`
	Value string `xml:"value,attr"`
}

// Case is one test. At most one of Failure, Error and Skipped is set; none means that it passed.
type Case struct {
	Class   string
	Name    string
	Seconds float64
	Failure *Problem // what was tested is wrong
	Error   *Problem // it could not be tested
	Skipped *Problem // there was nothing to test here
	Out     string
}

// Problem says why a test did not pass.
type Problem struct {
	Message string `xml:"message,attr"` // one line
	Type    string `xml:"type,attr,omitempty"`
	Text    string `xml:",chardata"` // as long as need be
}

type suites struct {
	XMLName  xml.Name `xml:"testsuites"`
	Name     string   `xml:"name,attr"`
	Tests    int      `xml:"tests,attr"`
	Failures int      `xml:"failures,attr"`
	Errors   int      `xml:"errors,attr"`
	Time     string   `xml:"time,attr"`
	Suite    suite    `xml:"testsuite"`
}

type suite struct {
	Name       string     `xml:"name,attr"`
	Tests      int        `xml:"tests,attr"`
	Failures   int        `xml:"failures,attr"`
	Errors     int        `xml:"errors,attr"`
	Skipped    int        `xml:"skipped,attr"`
	Time       string     `xml:"time,attr"`
	Properties []Property `xml:"properties>property,omitempty"`
	Cases      []testcase `xml:"testcase"`
	Out        string     `xml:"system-out,omitempty"`
}

type testcase struct {
	Class   string   `xml:"classname,attr"`
	Name    string   `xml:"name,attr"`
	Time    string   `xml:"time,attr"`
	Failure *Problem `xml:"failure"`
	Error   *Problem `xml:"error"`
	Skipped *Problem `xml:"skipped"`
	Out     string   `xml:"system-out,omitempty"`
}

// Write writes the suite. Characters that XML cannot hold are replaced.
func Write(w io.Writer, s Suite) error {
	one := suite{Name: s.Name, Tests: len(s.Cases), Time: seconds(s.Seconds), Properties: s.Properties, Out: s.Out}
	for _, c := range s.Cases {
		t := testcase{Class: c.Class, Name: c.Name, Time: seconds(c.Seconds), Failure: c.Failure, Error: c.Error, Skipped: c.Skipped, Out: c.Out}
		if c.Skipped != nil {
			one.Skipped++
		}
		if c.Failure != nil {
			one.Failures++
		}
		if c.Error != nil {
			one.Errors++
		}
		one.Cases = append(one.Cases, t)
	}
	all := suites{Name: s.Name, Tests: one.Tests, Failures: one.Failures, Errors: one.Errors, Time: one.Time, Suite: one}
	if _, err := io.WriteString(w, xml.Header); err != nil {
		return err
	}
	e := xml.NewEncoder(w)
	e.Indent("", "  ")
	if err := e.Encode(all); err != nil {
		return fmt.Errorf("writing JUnit XML: %w", err)
	}
	_, err := io.WriteString(w, "\n")
	return err
}

func seconds(s float64) string { return fmt.Sprintf("%.3f", s) }
