package damage

import (
	"bytes"
	"strconv"
	"strings"
)

// Columns of a card (IGES 5.3, 2.2.4): fields of the directory, parameters, the entity that they are of, the letter of
// the section, its number.
const (
	directoryColumns = 8 // a field of the directory
	parameterColumns = 64
	sectionColumn    = 72
	cardColumns      = 80
)

// topological types have pointers and flags among their parameters.
var topological = map[string]bool{
	"102": true, "120": true, "122": true, "141": true, "142": true, "143": true, "144": true, "186": true,
	"190": true, "192": true, "194": true, "196": true, "198": true, "502": true, "504": true, "508": true,
	"510": true, "514": true,
}

// parseIGES finds the entities of a file of cards. Parameters that run over the end of a card are left out.
func parseIGES(s *structure, data []byte) {
	types := map[int64]string{}
	matrices := map[int64]int64{} // where an entity is placed, by its number
	index := map[int64]int{}
	isBroken := false // the card before ends in the middle of a parameter
	for at := 0; at < len(data); {
		end := len(data)
		if i := bytes.IndexByte(data[at:], '\n'); i >= 0 {
			end = at + i
		}
		card := data[at:end]
		if len(card) >= cardColumns {
			switch card[sectionColumn] {
			case 'D':
				number, _ := strconv.ParseInt(field(card[sectionColumn+1:cardColumns]), 10, 64)
				if number%2 == 1 { // the first card of two
					types[number] = field(card[:directoryColumns])
					matrices[number], _ = strconv.ParseInt(field(card[6*directoryColumns:7*directoryColumns]), 10, 64)
				}
			case 'P':
				owner, _ := strconv.ParseInt(field(card[parameterColumns:sectionColumn]), 10, 64)
				i, known := index[owner]
				if !known {
					i = len(s.records)
					index[owner] = i
					s.records = append(s.records, record{id: owner, entity: types[owner], start: at,
						refs: []int64{matrices[owner]}})
				}
				r := &s.records[i]
				r.end = min(end+1, len(data))
				cardTokens(s, r, i, at, card[:parameterColumns], !known || isBroken, int64(len(types))*2)
				end := field(card[:parameterColumns])
				isBroken = !strings.HasSuffix(end, ",") && !strings.HasSuffix(end, ";")
			}
		}
		at = end + 1
	}
}

func field(b []byte) string { return strings.TrimSpace(string(b)) }

// cardTokens takes the parameters of one card, but for the first where that is the type of the entity or the rest of
// what the card before began.
func cardTokens(s *structure, r *record, index, offset int, card []byte, skipsFirst bool, last int64) {
	at := 0
	for n := 0; ; n++ {
		length := bytes.IndexAny(card[at:], ",;")
		if length < 0 {
			return
		}
		text := field(card[at : at+length])
		lead := bytes.Index(card[at:], []byte(text))
		t := token{site: site{offset + at + lead, offset + at + lead + len(text), index}, entity: r.entity}
		at += length + 1
		if n == 0 && skipsFirst {
			continue
		}
		value, err := strconv.ParseInt(text, 10, 64)
		switch {
		case strings.Contains(text, "."):
			t.sort = real
		case err != nil || !topological[r.entity]:
		case (text == "0" || text == "1") && r.entity != "102":
			t.sort = flag
			if text == "1" { // or a pointer to the first entity
				r.refs = append(r.refs, value)
			}
		case value > 0 && value%2 == 1 && value < last:
			t.sort = reference
			r.refs = append(r.refs, value)
		}
		if t.sort != 0 && text != "" {
			s.tokens = append(s.tokens, t)
		}
	}
}
