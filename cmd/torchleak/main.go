// Command torchleak finds memory leaks in PyTorch trainings.
package main

import (
	"os"

	"github.com/torchleak/torchleak/internal/cli"
)

func main() { os.Exit(cli.Main(os.Args[1:], cli.OS())) }
