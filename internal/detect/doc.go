// Package detect says what one memory does over the steps: whether it grows, since when, how fast, and what
// that amounts to. It is sequential (one sample at a time, never looking back at more than it keeps), pure
// (no clock, no input or output) and bounded: a million steps cost no more memory than a few thousand.
//
// A trend alone never makes a verdict leak where survivors can be seen. Growth raises a [Suspicion]; the
// caller gathers evidence and hands back a [Confirmation]; the verdict follows from both and goes on being
// tested. README.md says how each shape is told from the others and how the .series tests are written.
package detect
