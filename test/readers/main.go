// Reads checkpoints, receipts and proofs of consistency by golang.org/x/mod alone, which knows nothing of ours: its signed
// notes, and its transparency log. Prints a line for every file, in the order they are given.
package main

import (
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"

	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"
)

func main() {
	verifiers := note.VerifierList(verifiersOf(os.Args[1])...)
	roots := map[int64]tlog.Hash{}
	for _, path := range os.Args[2:] {
		if err := read(path, verifiers, roots); err != nil {
			fmt.Println("false")
		} else {
			fmt.Println("true")
		}
	}
}

func verifiersOf(path string) (all []note.Verifier) {
	for _, key := range strings.Fields(string(must(os.ReadFile(path)))) {
		all = append(all, must(note.NewVerifier(key)))
	}
	return all
}

// read verifies a checkpoint, a receipt that ends with one, or a proof that one begins with an older one.
func read(path string, verifiers note.Verifiers, roots map[int64]tlog.Hash) error {
	text := string(must(os.ReadFile(path)))
	if strings.HasPrefix(text, "c2sp.org/tlog-proof@v1\n") {
		return readReceipt(text, verifiers)
	}
	if strings.HasPrefix(text, "old ") {
		return readConsistency(text, verifiers, roots)
	}
	tree, err := readCheckpoint(text, verifiers)
	if err == nil {
		roots[tree.N] = tree.Hash
	}
	return err
}

func readCheckpoint(text string, verifiers note.Verifiers) (tlog.Tree, error) {
	opened, err := note.Open([]byte(text), verifiers)
	if err != nil {
		return tlog.Tree{}, err
	}
	lines := strings.Split(opened.Text, "\n")
	size, err := strconv.ParseInt(lines[1], 10, 64)
	if err != nil {
		return tlog.Tree{}, err
	}
	root, err := tlog.ParseHash(lines[2])
	return tlog.Tree{N: size, Hash: root}, err
}

func readReceipt(text string, verifiers note.Verifiers) error {
	head, checkpoint, _ := strings.Cut(text, "\n\n")
	tree, err := readCheckpoint(checkpoint, verifiers)
	if err != nil {
		return err
	}
	lines := strings.Split(head, "\n")
	link, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(lines[1], "extra "))
	if err != nil {
		return err
	}
	index, err := strconv.ParseInt(strings.TrimPrefix(lines[2], "index "), 10, 64)
	if err != nil {
		return err
	}
	path, err := hashesOf(lines[3:])
	if err != nil {
		return err
	}
	record := sha256.Sum256(link)
	return tlog.CheckRecord(path, tree.N, tree.Hash, index, tlog.RecordHash(record[:]))
}

func readConsistency(text string, verifiers note.Verifiers, roots map[int64]tlog.Hash) error {
	head, checkpoint, _ := strings.Cut(text, "\n\n")
	tree, err := readCheckpoint(checkpoint, verifiers)
	if err != nil {
		return err
	}
	lines := strings.Split(head, "\n")
	old, err := strconv.ParseInt(strings.TrimPrefix(lines[0], "old "), 10, 64)
	if err != nil {
		return err
	}
	root, isKnown := roots[old]
	if !isKnown {
		return errors.New("its older checkpoint was not read")
	}
	path, err := hashesOf(lines[1:])
	if err != nil {
		return err
	}
	return tlog.CheckTree(path, tree.N, tree.Hash, old, root)
}

func hashesOf(lines []string) (all []tlog.Hash, err error) {
	for _, line := range lines {
		hash, err := tlog.ParseHash(line)
		if err != nil {
			return nil, err
		}
		all = append(all, hash)
	}
	return all, nil
}

func must[T any](value T, err error) T {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
	return value
}
