// Text for HTML and SVG: escaping, truncation to a width, formatting of numbers.
//
// Everything that comes from a database goes through html_text(): the result is inert inside an element and inside a
// double-quoted attribute, and well-formed XML, whatever the bytes were.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace trustsql {

// `text` as character data of HTML, SVG or a quoted attribute: & < > " ' become entities; tab, line feed and carriage
// return become a space; other control characters (C0, DEL, C1), characters that override the direction of the text
// around them (U+202A to U+202E, U+2066 to U+2069), U+FFFE, U+FFFF and every ill-formed run become U+FFFD.
std::string html_text(std::string_view text);

// The same, but line feeds stay, and so do the ends of lines written otherwise (CR LF, CR): for <pre>.
std::string html_lines(std::string_view text);

// `text` cut to at most `characters` characters (at least 2), including an ellipsis in place of what was cut: at the
// end, or (cut_text_middle) in the middle, where the names of variants of a system are most alike.
std::string cut_text(std::string_view text, std::size_t characters);
std::string cut_text_middle(std::string_view text, std::size_t characters);

// A generous estimate of the width of `text`, in units, in a sans-serif font of `size` units.
double text_width(std::string_view text, double size);
// `text`, cut in the middle as far as needed to fit into `width` units.
std::string fit_text(std::string_view text, double size, double width);

// The decimal form with at most `decimals` places, without trailing zeros: "0.5", "12", "-3"; for coordinates and
// attributes.
std::string plain_number(double value, int decimals = 1);
// For human readers: exactly `decimals` places, commas between thousands, a true minus sign (U+2212): "−20,512.3".
// Infinities are "∞" and "−∞".
std::string print_number(double value, int decimals = 1);
std::string print_count(std::int64_t count);
// With `digits` significant digits: "0.6213", "−1.5e−7".
std::string print_significant(double value, int digits = 4);
// The labels of the ticks of an axis, short and with enough decimals to tell them apart: "−20K", "1.5M", "0.998".
std::vector<std::string> tick_labels(const std::vector<double>& ticks);

}  // namespace trustsql
