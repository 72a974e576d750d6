// Verifies receipts of ledger entries, offline, with Go's standard library (1.19 or newer):
//
//	go run verify_receipt.go --key vkey.txt [--records entries.json] [--account acc_…] [--complete] [--tsa-ca ca.pem] FILE…
//
// FILE: receipts, checkpoints, proofs of consistency, and tokens of a time stamping authority (.tsr; needs openssl).
// Exit code 0: all is proven; 1: something is false; 2: wrong usage, unreadable file; 3: something stays unproven.
// Second signatures, with ML-DSA-44, are passed over: verify-receipt.ts verifies them, with --second-key.
package main

import (
	"bytes"
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"sort"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
)

type key struct {
	kind     byte
	name, id string
	key      ed25519.PublicKey
}

type checkpoint struct {
	origin    string
	size      uint64
	root      []byte
	digest    string
	witnessed []string
}

type entry struct {
	id, account, currency string
	number                int64
	kind                  string
	amount                int64
	refType, refID        string
	balanceAfter          int64
}

type proof struct {
	older uint64
	newer checkpoint
	path  [][]byte
}

type proven struct {
	environment string
	entry       entry
}

// A falsehood ends the program with 1; every other error with 2.
type falsehood string

func (f falsehood) Error() string { return string(f) }

func must(holds bool, otherwise string, values ...any) {
	if !holds {
		panic(falsehood(fmt.Sprintf(otherwise, values...)))
	}
}

func readable[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

func hash(parts ...[]byte) []byte {
	sum := sha256.Sum256(bytes.Join(parts, nil))
	return sum[:]
}

func nodeOf(left, right []byte) []byte { return hash([]byte{1}, left, right) }

// Any length is right where length is negative.
func bytesOf(text string, length int) []byte {
	found, err := base64.StdEncoding.Strict().DecodeString(text)
	isOne := err == nil && base64.StdEncoding.EncodeToString(found) == text
	must(isOne && (length < 0 || len(found) == length), "%q is not base64", text)
	return found
}

func hashesOf(lines []string) [][]byte {
	hashes := [][]byte{}
	for _, line := range lines {
		hashes = append(hashes, bytesOf(line, 32))
	}
	return hashes
}

var decimal = regexp.MustCompile(`^(0|[1-9][0-9]{0,14})$`)

func numberOf(text string) uint64 {
	must(decimal.MatchString(text), "%q is not a number", text)
	return readable(strconv.ParseUint(text, 10, 64))
}

// The pinned keys, one a line: <name>+<id in hex>+<base64 of 0x01, or 0x04 for a witness, and an Ed25519 key>.
func keysOf(text string) []key {
	keys, hasOwn := []key{}, false
	for _, line := range strings.Split(strings.TrimSpace(text), "\n") {
		parts := append(strings.SplitN(strings.TrimSpace(line), "+", 3), "", "")
		typed := bytesOf(parts[2], -1)
		if hex.EncodeToString(hash([]byte(parts[0]+"\n"), typed)[:4]) != parts[1] {
			panic(fmt.Errorf("%q is not a key", line))
		}
		if (typed[0] == 1 || typed[0] == 4) && len(typed) == 33 {
			keys = append(keys, key{typed[0], parts[0], parts[1], typed[1:]})
			hasOwn = hasOwn || typed[0] == 1
		}
	}
	if !hasOwn {
		panic("there is no Ed25519 key")
	}
	return keys
}

var signatureLine = regexp.MustCompile(`^— ([^ ]+) ([^ ]+)$`)

// (4) When a pinned witness has signed the text of a checkpoint (C2SP cosignature/v1).
func witnessOf(text string, by key, signature []byte) string {
	second, isRight := uint64(0), false
	if len(signature) == 72 {
		second = binary.BigEndian.Uint64(signature)
		message := fmt.Sprintf("cosignature/v1\ntime %d\n%s", second, text)
		isRight = second < 1<<37 && ed25519.Verify(by.key, []byte(message), signature[8:])
	}
	must(isRight, "the signature of the witness %s is false", by.name)
	return by.name + " at " + time.Unix(int64(second), 0).UTC().Format("2006-01-02T15:04:05Z")
}

// (1) The checkpoint is signed with a pinned key of its origin. Signatures of others are not looked at.
func openCheckpoint(note string, keys []key) checkpoint {
	end := strings.LastIndex(note, "\n\n") + 1
	must(end > 0 && len(note) > end+1 && strings.HasSuffix(note, "\n"), "the checkpoint is not a signed note")
	text, signatures := note[:end], strings.Split(strings.TrimSuffix(note[end+1:], "\n"), "\n")
	lines := append(strings.Split(text, "\n"), "", "")
	origin, verified, witnessed := lines[0], 0, []string{}
	for _, line := range signatures {
		found := append(signatureLine.FindStringSubmatch(line), "", "", "")
		signature := bytesOf(found[2], -1)
		must(len(signature) > 4, "the checkpoint has a line that is not a signature")
		for _, key := range keys {
			if key.name != found[1] || key.id != hex.EncodeToString(signature[:4]) {
				continue
			}
			if key.kind == 4 {
				witnessed = append(witnessed, witnessOf(text, key, signature[4:]))
			} else if key.name == origin {
				isRight := ed25519.Verify(key.key, []byte(text), signature[4:])
				must(isRight, "the checkpoint is not signed with a pinned key")
				verified++
			}
		}
	}
	must(verified > 0, "the checkpoint is not signed with a pinned key")
	digest := hex.EncodeToString(hash([]byte(note)))
	return checkpoint{origin, numberOf(lines[1]), bytesOf(lines[2], 32), digest, witnessed}
}

// RFC 9162, 2.1.3.2: the root that a leaf and its path lead to.
func rootOf(leaf []byte, index, size uint64, path [][]byte) []byte {
	must(index < size, "the path is too short")
	at, last, found := index, size-1, leaf
	for _, sibling := range path {
		must(last > 0, "the path is too long")
		if at%2 == 1 || at == last {
			found = nodeOf(sibling, found)
			for at%2 == 0 && at > 0 {
				at, last = at/2, last/2
			}
		} else {
			found = nodeOf(found, sibling)
		}
		at, last = at/2, last/2
	}
	must(last == 0, "the path is too short")
	return found
}

// RFC 9162, 2.1.4.2: the newer tree begins with the whole of the older one.
func isConsistent(older, newer checkpoint, path [][]byte) bool {
	if older.size == 0 {
		return false
	}
	at, last := older.size-1, newer.size-1
	for at%2 == 1 {
		at, last = at/2, last/2
	}
	if at == 0 {
		path = append([][]byte{older.root}, path...)
	}
	if len(path) == 0 {
		return false
	}
	before, after := path[0], path[0]
	for _, sibling := range path[1:] {
		if last == 0 {
			return false
		}
		if at%2 == 1 || at == last {
			before, after = nodeOf(sibling, before), nodeOf(sibling, after)
			for at%2 == 0 && at > 0 {
				at, last = at/2, last/2
			}
		} else {
			after = nodeOf(after, sibling)
		}
		at, last = at/2, last/2
	}
	return last == 0 && bytes.Equal(before, older.root) && bytes.Equal(after, newer.root)
}

// The parts of a link that are read here, each where the ledger writes it.
type link struct {
	environment                string
	shard, sequence, decidedAt int64
	entries                    []entry
}

func linkOf(content []byte) link {
	var parts []json.RawMessage
	var found link
	var entries [][]json.RawMessage
	read := func(from json.RawMessage, to any) { readable(0, json.Unmarshal(from, to)) }
	read(content, &parts)
	for index, to := range []any{&found.environment, &found.shard, &found.sequence, &found.decidedAt} {
		read(parts[index+1], to)
	}
	read(parts[len(parts)-1], &entries)
	for _, values := range entries {
		var one entry
		members := []any{&one.id, &one.account, &one.currency, &one.number, &one.kind, &one.amount, &one.refType, &one.refID, &one.balanceAfter}
		for index, to := range members {
			read(values[index], to)
		}
		found.entries = append(found.entries, one)
	}
	return found
}

// (2) The link of the receipt is in the tree of its checkpoint.
func openReceipt(text string, keys []key) (checkpoint, link) {
	head, note, _ := strings.Cut(text, "\n\n")
	lines := strings.Split(head, "\n")
	isWhole := len(lines) > 2 && strings.HasPrefix(lines[1], "extra ") && strings.HasPrefix(lines[2], "index ")
	must(isWhole, "the receipt is not complete")
	signed := openCheckpoint(note, keys)
	content, at := bytesOf(lines[1][6:], -1), numberOf(lines[2][6:])
	root := rootOf(hash([]byte{0}, hash(content)), at, signed.size, hashesOf(lines[3:]))
	must(bytes.Equal(root, signed.root), "the link is not in the tree of the checkpoint")
	found := linkOf(content)
	place := fmt.Sprintf("/%s.%d", found.environment, found.shard)
	isThere := uint64(found.sequence) == at+1 && strings.HasSuffix(signed.origin, place)
	must(isThere, "the link is of another place")
	return signed, found
}

// (3) The ledger's entry is the one that the merchant has on record, in either contract.
func compare(one entry, record map[string]json.RawMessage) {
	suffix := ""
	if record["amount_cents"] != nil {
		suffix = "_cents"
	}
	proven := map[string]any{
		"account_id": one.account, "number": one.number, "type": one.kind, "currency": one.currency, "ref_type": one.refType,
		"ref_id": one.refID, "amount" + suffix: one.amount, "balance_after" + suffix: one.balanceAfter,
	}
	for name, value := range proven {
		if record[name] == nil && (name == "account_id" || name == "number") {
			continue
		}
		expected := readable(json.Marshal(value))
		known := record[name]
		if known == nil {
			known = json.RawMessage("null")
		}
		must(bytes.Equal(expected, known), "%s has %s %v, on record it is %s", one.id, name, value, known)
	}
}

var stampedAt = regexp.MustCompile("Time stamp: (.*)")

// (4) The time at which an authority has seen a checkpoint, or nothing if the token is not one for it.
func timeOf(token string, seen checkpoint, authority string) string {
	command := exec.Command("openssl", "ts", "-verify", "-digest", seen.digest, "-CAfile", authority, "-in", token)
	if err := command.Run(); err != nil {
		var ended *exec.ExitError
		if !errors.As(err, &ended) {
			panic(err)
		}
		return ""
	}
	shown := readable(exec.Command("openssl", "ts", "-reply", "-text", "-in", token).Output())
	return string(append(stampedAt.FindSubmatch(shown), nil, nil)[1])
}

// (5) The entries of each balance: no number twice, each balance from the one before; the numbers not shown.
func gapsOf(found map[string]proven) []string {
	balances := map[string][]entry{}
	for _, one := range found {
		balance := one.environment + " " + one.entry.account + " " + one.entry.currency
		balances[balance] = append(balances[balance], one.entry)
	}
	gaps := []string{}
	for balance, entries := range balances {
		sort.Slice(entries, func(i, j int) bool { return entries[i].number < entries[j].number })
		number, after := int64(0), int64(0)
		for _, one := range entries {
			must(one.number > number, "%s: number %d is there twice", balance, number)
			if one.number > number+1 {
				gaps = append(gaps, fmt.Sprintf("%s: nothing shows numbers %d to %d", balance, number+1, one.number-1))
			} else {
				follows := after+one.amount == one.balanceAfter
				must(follows, "%s: the balance after number %d does not follow", balance, one.number)
			}
			number, after = one.number, one.balanceAfter
		}
	}
	sort.Strings(gaps)
	return gaps
}

// (5) Checkpoints of one ledger: one root for a size, each begins with the one before; what nothing shows.
func unlinked(all []checkpoint, proofs []proof) []string {
	gaps, known := []string{}, map[string]bool{}
	place := func(origin string, size uint64) string { return fmt.Sprintf("%s %d", origin, size) }
	sort.SliceStable(all, func(i, j int) bool {
		return all[i].origin < all[j].origin || all[i].origin == all[j].origin && all[i].size < all[j].size
	})
	for index, newer := range all {
		known[place(newer.origin, newer.size)] = true
		if index == 0 || all[index-1].origin != newer.origin {
			continue
		}
		older, isShown := all[index-1], false
		if older.size == newer.size {
			same := bytes.Equal(older.root, newer.root)
			must(same, "%s: two histories of %d links are signed; keep both files", newer.origin, newer.size)
			continue
		}
		for _, one := range proofs {
			if one.older == older.size && one.newer.size == newer.size && one.newer.origin == newer.origin {
				isShown = isConsistent(older, newer, one.path)
				must(isShown, "%s: %d links are not shown to begin with the %d", newer.origin, newer.size, older.size)
			}
		}
		if !isShown {
			gap := fmt.Sprintf("%s: nothing shows that the %d links begin with the %d", newer.origin, newer.size, older.size)
			gaps = append(gaps, gap)
		}
	}
	for _, one := range proofs {
		if !known[place(one.newer.origin, one.older)] {
			gaps = append(gaps, fmt.Sprintf("%s: no checkpoint of %d links is given", one.newer.origin, one.older))
		}
	}
	return gaps
}

func (signed checkpoint) printWitnesses() {
	for _, witness := range signed.witnessed {
		fmt.Printf("  signed by the witness %s\n", witness)
	}
}

type evidence struct {
	checkpoints []checkpoint
	proofs      []proof
	proven      map[string]proven
}

// Verifies one file and prints what it shows.
func (all *evidence) readFile(file string, keys []key, isRight func(entry) bool) {
	content := readable(os.ReadFile(file))
	must(utf8.Valid(content), "it is not text")
	text := string(content)
	if strings.HasPrefix(text, "c2sp.org/tlog-proof@v1\n") {
		signed, found := openReceipt(text, keys)
		all.checkpoints = append(all.checkpoints, signed)
		onRecord := 0
		for _, one := range found.entries {
			if isRight(one) {
				onRecord++
			}
		}
		must(onRecord > 0, "none of its entries is on record")
		for _, one := range found.entries {
			earlier, isKnown := all.proven[one.id]
			must(!isKnown || earlier == proven{found.environment, one}, "%s is there in two forms", one.id)
			all.proven[one.id] = proven{found.environment, one}
			fmt.Printf("%s: number %d of %s, %s %d %s for %s, balance %d\n",
				one.id, one.number, one.account, one.kind, one.amount, one.currency, one.refID, one.balanceAfter)
		}
		at := time.UnixMilli(found.decidedAt).UTC().Format("2006-01-02T15:04:05.000Z")
		fmt.Printf("  decided %s, link %d of the %d of %s\n", at, found.sequence, signed.size, signed.origin)
		signed.printWitnesses()
		return
	}
	older, note := "", text
	if strings.HasPrefix(text, "old ") {
		older, note, _ = strings.Cut(text[4:], "\n\n")
	}
	newer := openCheckpoint(note, keys)
	all.checkpoints = append(all.checkpoints, newer)
	fmt.Printf("%s: checkpoint of %d links of %s\n", file, newer.size, newer.origin)
	newer.printWitnesses()
	if older != "" {
		lines := strings.Split(older, "\n")
		all.proofs = append(all.proofs, proof{numberOf(lines[0]), newer, hashesOf(lines[1:])})
	}
}

// The merchant's entries by their ids: a list, an answer of the gateway, or one entry. None is given without a file.
func recordsOf(file string) map[string]map[string]json.RawMessage {
	if file == "" {
		return nil
	}
	type record = map[string]json.RawMessage
	content := readable(os.ReadFile(file))
	var answer struct{ Data []record }
	var list []record
	var one record
	if json.Unmarshal(content, &answer) == nil && answer.Data != nil {
		list = answer.Data
	} else if json.Unmarshal(content, &list) != nil {
		readable(0, json.Unmarshal(content, &one))
		list = []record{one}
	}
	records := map[string]record{}
	for _, one := range list {
		var id string
		readable(0, json.Unmarshal(one["id"], &id))
		records[id] = one
	}
	return records
}

func main() {
	keyFile, recordsFile := flag.String("key", "", "the pinned keys"), flag.String("records", "", "the entries on record")
	account, authority := flag.String("account", "", "whose entries"), flag.String("tsa-ca", "", "the authority's CA")
	complete := flag.Bool("complete", false, "whether no entry may be missing")
	flag.Usage = func() {
		fmt.Fprintln(flag.CommandLine.Output(), "verify_receipt --key vkey.txt [options] FILE…")
		flag.PrintDefaults()
		fmt.Fprintln(flag.CommandLine.Output(), "Second signatures, with ML-DSA-44, are passed over: verify-receipt.ts verifies them, with --second-key.")
	}
	flag.Parse()
	file := ""
	defer func() {
		problem := recover()
		if false, isFalse := problem.(falsehood); isFalse && file != "" {
			fmt.Printf("FALSE %s: %s\n", file, false)
			os.Exit(1)
		} else if problem != nil {
			fmt.Fprintln(os.Stderr, problem)
			os.Exit(2)
		}
	}()
	if *keyFile == "" || flag.NArg() == 0 {
		panic("give --key and files")
	}
	keys, records := keysOf(string(readable(os.ReadFile(*keyFile)))), recordsOf(*recordsFile)
	isRight := func(one entry) bool {
		must(*account == "" || *account == one.account, "%s is of account %s", one.id, one.account)
		record, isKnown := records[one.id]
		if isKnown {
			compare(one, record)
		}
		return isKnown || records == nil
	}
	all, tokens := evidence{proven: map[string]proven{}}, []string{}
	for _, file = range flag.Args() {
		if strings.HasSuffix(file, ".tsr") {
			tokens = append(tokens, file)
		} else {
			all.readFile(file, keys, isRight)
		}
	}
	for _, file = range tokens {
		if *authority == "" {
			panic("give --tsa-ca for a token")
		}
		at := ""
		for index := 0; at == "" && index < len(all.checkpoints); index++ {
			seen := all.checkpoints[index]
			if at = timeOf(file, seen, *authority); at != "" {
				fmt.Printf("%s: %d links of %s were there at %s\n", file, seen.size, seen.origin, at)
			}
		}
		must(at != "", "it is not a token of this authority for any of the checkpoints")
	}
	file = "all files"
	gaps, numbers := unlinked(all.checkpoints, all.proofs), gapsOf(all.proven)
	missing := []string{}
	for id := range records {
		if _, isProven := all.proven[id]; !isProven {
			missing = append(missing, id+": it is on record, and no receipt is given")
		}
	}
	sort.Strings(missing)
	if *complete {
		gaps = append(append(gaps, missing...), numbers...)
	}
	for _, gap := range gaps {
		fmt.Println("UNPROVEN " + gap)
	}
	if len(gaps) > 0 {
		os.Exit(3)
	}
}
