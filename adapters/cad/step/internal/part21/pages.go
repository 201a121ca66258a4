package part21

import (
	"strings"
	"unicode/utf8"
)

// Strings with characters outside ASCII in other encodings than ISO 10303-21 requires.

// pages are the characters from 0xA0 on of the pages A to I of \P?\, the parts 1 to 9 of ISO 8859.
var pages = [...]string{
	"\u00A0¡¢£¤¥¦§¨©ª«¬\u00AD®¯°±²³´µ¶·¸¹º»¼½¾¿ÀÁÂÃÄÅÆÇÈÉÊËÌÍÎÏ" +
		"ÐÑÒÓÔÕÖ×ØÙÚÛÜÝÞßàáâãäåæçèéêëìíîïðñòóôõö÷øùúûüýþÿ",
	"\u00A0Ą˘Ł¤ĽŚ§¨ŠŞŤŹ\u00ADŽŻ°ą˛ł´ľśˇ¸šşťź˝žżŔÁÂĂÄĹĆÇČÉĘËĚÍÎĎ" +
		"ĐŃŇÓÔŐÖ×ŘŮÚŰÜÝŢßŕáâăäĺćçčéęëěíîďđńňóôőö÷řůúűüýţ˙",
	"\u00A0Ħ˘£¤\uFFFDĤ§¨İŞĞĴ\u00AD\uFFFDŻ°ħ²³´µĥ·¸ışğĵ½\uFFFDżÀÁÂ\uFFFDÄĊĈÇÈÉÊËÌÍÎÏ" +
		"\uFFFDÑÒÓÔĠÖ×ĜÙÚÛÜŬŜßàáâ\uFFFDäċĉçèéêëìíîï\uFFFDñòóôġö÷ĝùúûüŭŝ˙",
	"\u00A0ĄĸŖ¤ĨĻ§¨ŠĒĢŦ\u00ADŽ¯°ą˛ŗ´ĩļˇ¸šēģŧŊžŋĀÁÂÃÄÅÆĮČÉĘËĖÍÎĪ" +
		"ĐŅŌĶÔÕÖ×ØŲÚÛÜŨŪßāáâãäåæįčéęëėíîīđņōķôõö÷øųúûüũū˙",
	"\u00A0ЁЂЃЄЅІЇЈЉЊЋЌ\u00ADЎЏАБВГДЕЖЗИЙКЛМНОПРСТУФХЦЧШЩЪЫЬЭЮЯ" +
		"абвгдежзийклмнопрстуфхцчшщъыьэюя№ёђѓєѕіїјљњћќ§ўџ",
	"\u00A0\uFFFD\uFFFD\uFFFD¤\uFFFD\uFFFD\uFFFD\uFFFD\uFFFD\uFFFD\uFFFD\u060C\u00AD\uFFFD\uFFFD\uFFFD\uFFFD\uFFFD\uFFFD\uFFFD\uFFFD\uFFFD\uFFFD\uFFFD\uFFFD\uFFFD\u061B\uFFFD\uFFFD\uFFFD\u061F\uFFFD\u0621\u0622\u0623\u0624\u0625\u0626\u0627\u0628\u0629\u062A\u062B\u062C\u062D\u062E\u062F" +
		"\u0630\u0631\u0632\u0633\u0634\u0635\u0636\u0637\u0638\u0639\u063A\uFFFD\uFFFD\uFFFD\uFFFD\uFFFD\u0640\u0641\u0642\u0643\u0644\u0645\u0646\u0647\u0648\u0649\u064A\u064B\u064C\u064D\u064E\u064F\u0650\u0651\u0652\uFFFD\uFFFD\uFFFD\uFFFD\uFFFD\uFFFD\uFFFD\uFFFD\uFFFD\uFFFD\uFFFD\uFFFD\uFFFD",
	"\u00A0‘’£€₯¦§¨©ͺ«¬\u00AD\uFFFD―°±²³΄΅Ά·ΈΉΊ»Ό½ΎΏΐΑΒΓΔΕΖΗΘΙΚΛΜΝΞΟ" +
		"ΠΡ\uFFFDΣΤΥΦΧΨΩΪΫάέήίΰαβγδεζηθικλμνξοπρςστυφχψωϊϋόύώ\uFFFD",
	"\u00A0\uFFFD¢£¤¥¦§¨©×«¬\u00AD®¯°±²³´µ¶·¸¹÷»¼½¾\uFFFD\uFFFD\uFFFD\uFFFD\uFFFD\uFFFD\uFFFD\uFFFD\uFFFD\uFFFD\uFFFD\uFFFD\uFFFD\uFFFD\uFFFD\uFFFD\uFFFD" +
		"\uFFFD\uFFFD\uFFFD\uFFFD\uFFFD\uFFFD\uFFFD\uFFFD\uFFFD\uFFFD\uFFFD\uFFFD\uFFFD\uFFFD\uFFFD‗\u05D0\u05D1\u05D2\u05D3\u05D4\u05D5\u05D6\u05D7\u05D8\u05D9\u05DA\u05DB\u05DC\u05DD\u05DE\u05DF\u05E0\u05E1\u05E2\u05E3\u05E4\u05E5\u05E6\u05E7\u05E8\u05E9\u05EA\uFFFD\uFFFD\u200E\u200F\uFFFD",
	"\u00A0¡¢£¤¥¦§¨©ª«¬\u00AD®¯°±²³´µ¶·¸¹º»¼½¾¿ÀÁÂÃÄÅÆÇÈÉÊËÌÍÎÏ" +
		"ĞÑÒÓÔÕÖ×ØÙÚÛÜİŞßàáâãäåæçèéêëìíîïğñòóôõö÷øùúûüışÿ",
}

// onPage returns the character that \S\ with c encodes on a page of \P?\.
func onPage(page, c byte) rune {
	if page < 'A' || int(page-'A') >= len(pages) || c < 0x20 || c > 0x7F {
		return utf8.RuneError
	}
	for _, r := range pages[page-'A'] { // a page is short, and such characters are rare
		if c == 0x20 {
			return r
		}
		c--
	}
	return utf8.RuneError
}

// windows1252 are the characters that Windows puts where Latin-1 has control codes, from 0x80 on.
const windows1252 = "€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008DŽ\u008F\u0090‘’“”•–—˜™š›œ\u009DžŸ"

// latin returns the character of a byte of Western text.
func latin(c byte) rune {
	if c >= 0x80 && c < 0xA0 {
		for _, r := range windows1252 {
			if c == 0x80 {
				return r
			}
			c--
		}
	}
	return rune(c)
}

// isShiftJIS reports whether raw looks like Japanese text of Windows (Shift JIS, JIS X 0208). All bytes outside ASCII
// must form valid pairs. At least one pair must begin with a byte that Western text does not use in names.
func isShiftJIS(raw []byte) bool {
	certain := false
	for i := 0; i < len(raw); i++ {
		c := raw[i]
		switch {
		case c < 0x80 || c >= 0xA1 && c <= 0xDF: // ASCII, narrow katakana
		case isLead(c) && i+1 < len(raw) && isTrail(raw[i+1]):
			certain = certain || c < 0xA0
			i++
		default:
			return false
		}
	}
	return certain
}

func isLead(c byte) bool  { return c >= 0x81 && c <= 0x9F || c >= 0xE0 && c <= 0xFC }
func isTrail(c byte) bool { return c >= 0x40 && c <= 0xFC && c != 0x7F }

// japanese writes the character that begins at s[0] in Shift JIS and returns its length. It knows kana, wide letters
// and digits. Each of the 6,355 kanji becomes the replacement character.
func japanese(out *strings.Builder, s []byte) int {
	c := s[0]
	if c >= 0xA1 && c <= 0xDF {
		out.WriteRune(0xFF61 + rune(c-0xA1))
		return 1
	}
	if !isLead(c) || len(s) < 2 || !isTrail(s[1]) {
		out.WriteRune(utf8.RuneError)
		return 1
	}
	switch at := rune(c)<<8 | rune(s[1]); {
	case at == 0x8140:
		out.WriteRune(0x3000) // wide blank
	case at >= 0x824F && at <= 0x8258:
		out.WriteRune(0xFF10 + at - 0x824F) // digits
	case at >= 0x8260 && at <= 0x8279:
		out.WriteRune(0xFF21 + at - 0x8260) // capitals
	case at >= 0x8281 && at <= 0x829A:
		out.WriteRune(0xFF41 + at - 0x8281) // small letters
	case at >= 0x829F && at <= 0x82F1:
		out.WriteRune(0x3041 + at - 0x829F) // hiragana
	case at >= 0x8340 && at <= 0x8396:
		if at > 0x837F {
			at-- // 0x7F is not a trailing byte
		}
		out.WriteRune(0x30A1 + at - 0x8340) // katakana
	case at == 0x815B:
		out.WriteRune(0x30FC) // long vowel
	default:
		out.WriteRune(utf8.RuneError)
	}
	return 2
}
