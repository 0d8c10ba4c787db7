// Command torchleak finds memory leaks in PyTorch trainings.
package main

func main() {}
