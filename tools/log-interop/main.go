// Checks a log of Tallystick with Go's own packages for transparency logs (golang.org/x/mod/sumdb/note and tlog), which we
// did not write: the checkpoint's signatures, the tree, that every entry is in it, and that it contains every smaller log.
// docs/trust.md, With others' tools, says how to run it.
package main

import (
	"crypto/ed25519"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"flag"
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"

	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"
)

const height = 8

type reader struct {
	prefix string
	kept   map[string][]byte
}

func (r reader) get(path string) ([]byte, error) {
	if kept, isKept := r.kept[path]; isKept {
		return kept, nil
	}
	response, err := http.Get(r.prefix + path)
	if err != nil {
		return nil, err
	}
	defer response.Body.Close()
	if response.StatusCode != 200 {
		return nil, fmt.Errorf("%s: %s", path, response.Status)
	}
	body, err := io.ReadAll(io.LimitReader(response.Body, 32<<20))
	if err == nil {
		r.kept[path] = body
	}
	return body, err
}

func (r reader) Height() int                     { return height }
func (r reader) SaveTiles([]tlog.Tile, [][]byte) {}

// Go's checksum database has the height in its paths, tlog-tiles has not; what is in a tile is the same.
func (r reader) ReadTiles(tiles []tlog.Tile) ([][]byte, error) {
	var all [][]byte
	for _, tile := range tiles {
		data, err := r.get("tile/" + strings.TrimPrefix(tile.Path(), "tile/8/"))
		if err != nil {
			return nil, err
		}
		all = append(all, data)
	}
	return all, nil
}

func (r reader) entries(size int64) ([][]byte, error) {
	var all [][]byte
	for n := int64(0); n<<height < size; n++ {
		width := size - n<<height
		if width > 1<<height {
			width = 1 << height
		}
		path := strings.TrimPrefix(tlog.Tile{H: height, L: -1, N: n, W: int(width)}.Path(), "tile/8/data/")
		bundle, err := r.get("tile/entries/" + path)
		if err != nil {
			return nil, err
		}
		for len(bundle) > 0 {
			if len(bundle) < 2 || len(bundle) < 2+int(binary.BigEndian.Uint16(bundle)) {
				return nil, errors.New(path + " is cut off")
			}
			end := 2 + int(binary.BigEndian.Uint16(bundle))
			all = append(all, bundle[2:end])
			bundle = bundle[end:]
		}
	}
	if int64(len(all)) != size {
		return nil, fmt.Errorf("%d entries under a checkpoint of %d", len(all), size)
	}
	return all, nil
}

// The signature of a witness, tlog-cosignature v1, which the package note does not know by itself.
type witness struct {
	name string
	hash uint32
	key  ed25519.PublicKey
}

func (w witness) Name() string    { return w.name }
func (w witness) KeyHash() uint32 { return w.hash }
func (w witness) Verify(text, signature []byte) bool {
	if len(signature) != 8+ed25519.SignatureSize {
		return false
	}
	header := fmt.Sprintf("cosignature/v1\ntime %d\n", binary.BigEndian.Uint64(signature))
	return ed25519.Verify(w.key, append([]byte(header), text...), signature[8:])
}

func newWitness(vkey string) (note.Verifier, error) {
	parts := strings.SplitN(vkey, "+", 3)
	if len(parts) != 3 {
		return nil, errors.New("not the key of a witness")
	}
	key, err := base64.StdEncoding.DecodeString(parts[2])
	if err != nil || len(key) != 33 || key[0] != 4 {
		return nil, errors.New("not the key of a witness")
	}
	var hash uint32
	_, err = fmt.Sscanf(parts[1], "%08x", &hash)
	return witness{parts[0], hash, key[1:]}, err
}

func check(url, vkey, witnessKey string) error {
	r := reader{strings.TrimSuffix(url, "/") + "/log/", map[string][]byte{}}
	verifier, err := note.NewVerifier(vkey)
	if err != nil {
		return err
	}
	verifiers := []note.Verifier{verifier}
	if witnessKey != "" {
		w, err := newWitness(witnessKey)
		if err != nil {
			return err
		}
		verifiers = append(verifiers, w)
	}
	message, err := r.get("checkpoint")
	if err != nil {
		return err
	}
	opened, err := note.Open(message, note.VerifierList(verifiers...))
	if err != nil {
		return err
	}
	for _, signature := range opened.Sigs {
		fmt.Printf("signed by %s (%08x)\n", signature.Name, signature.Hash)
	}
	var size int64
	lines := strings.Split(opened.Text, "\n")
	if len(lines) != 4 || lines[0] != verifier.Name() {
		return errors.New("not a checkpoint of this log")
	}
	if _, err := fmt.Sscanf(lines[1], "%d", &size); err != nil {
		return err
	}
	root, err := tlog.ParseHash(lines[2])
	if err != nil {
		return err
	}
	fmt.Printf("%d entries, root %s\n", size, root)

	// Every tile that is read is checked against the root by the package itself.
	tiles := tlog.TileHashReader(tlog.Tree{N: size, Hash: root}, r)
	entries, err := r.entries(size)
	if err != nil {
		return err
	}
	var stored []tlog.Hash
	own := tlog.HashReaderFunc(func(indexes []int64) ([]tlog.Hash, error) {
		var hashes []tlog.Hash
		for _, index := range indexes {
			hashes = append(hashes, stored[index])
		}
		return hashes, nil
	})
	for n, entry := range entries {
		proof, err := tlog.ProveRecord(size, int64(n), tiles)
		if err != nil {
			return err
		}
		if err := tlog.CheckRecord(proof, size, root, int64(n), tlog.RecordHash(entry)); err != nil {
			return fmt.Errorf("entry %d: %v", n, err)
		}
		hashes, err := tlog.StoredHashes(int64(n), entry, own)
		if err != nil {
			return err
		}
		stored = append(stored, hashes...)
	}
	fmt.Printf("inclusion of %d entries: proven from the tiles\n", len(entries))

	// The roots of smaller logs from the entries alone, the proofs from the tiles.
	for n := int64(1); n <= size; n++ {
		old, err := tlog.TreeHash(n, own)
		if err != nil {
			return err
		}
		proof, err := tlog.ProveTree(size, n, tiles)
		if err != nil {
			return err
		}
		if err := tlog.CheckTree(proof, size, root, n, old); err != nil {
			return fmt.Errorf("from %d to %d: %v", n, size, err)
		}
	}
	fmt.Printf("consistency with the logs of 1 to %d entries: proven from the tiles\n", size)
	return nil
}

func main() {
	url := flag.String("url", "http://127.0.0.1:3000", "where the site is")
	vkey := flag.String("vkey", "", "the log's key")
	witnessKey := flag.String("witness", "", "the key of a witness, if its signature is wanted, too")
	flag.Parse()
	if err := check(*url, *vkey, *witnessKey); err != nil {
		fmt.Fprintln(os.Stderr, "NOT PROVEN:", err)
		os.Exit(1)
	}
}
