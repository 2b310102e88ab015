// The one definition of which text from outside may reach a terminal, a CI log, XML, a table or a source file.
//
// Names and values of a log, file names, output of an app, and variables of the environment pass it before they are
// shown. It has three parts: scalars that are never shown as they are, two that only continue an emoji, and the two
// forms in which a CI service finds a command in a log.

extension Unicode.Scalar {
  /// `true` if the scalar shows as itself, and does nothing else.
  ///
  /// `false` for controls (C0, DEL, C1), separators of lines and paragraphs, format scalars such as the marks that change
  /// the writing direction, scalars that show nothing (zero-width and default-ignorable ones), and noncharacters.
  package var isPrintable: Bool {
    if value < 0x7F { return value >= 0x20 }
    if value < 0xA0 { return false }
    switch properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate: return false
    default:
      return !properties.isDefaultIgnorableCodePoint && !properties.isNoncharacterCodePoint
    }
  }

  /// The scalar as an escape.
  package func escape(as form: EscapeForm) -> String {
    switch (form, self) {
    case (.swift, "\t"): "\\t"
    case (.swift, "\n"): "\\n"
    case (.swift, "\r"): "\\r"
    case (.swift, _): "\\u{\(String(value, radix: 16))}"
    case (.json, _): String(self).utf16.map { "\\u" + $0.hexDigits }.joined()
    }
  }
}

/// The forms of an escape.
package enum EscapeForm: Sendable {
  /// `\u{1b}`, and `\t`, `\n` and `\r`.
  case swift
  /// `\u001b`; two of them for a scalar above U+FFFF.
  case json
}

extension String {
  /// The text on one line, with escapes for all that must not be shown as it is.
  ///
  /// The text is for display and cannot be decoded: a backslash stays as it is.
  package var printable: String { printable(as: .swift) }

  package func printable(as form: EscapeForm) -> String {
    var output = TextGuard()
    guard !output.passes(utf8) else { return self }
    output = TextGuard()
    var result = ""
    for scalar in unicodeScalars {
      if output.escapes(scalar) {
        result += scalar.escape(as: form)
      } else {
        result.unicodeScalars.append(scalar)
      }
    }
    return result
  }

  /// The lines of a text, each with escapes for all that must not be shown as it is.
  package func printableLines(as form: EscapeForm = .swift) -> String {
    unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false)
      .map { String($0).printable(as: form) }.joined(separator: "\n")
  }

  /// The text with replacements for some scalars.
  ///
  /// A quote with an accent behind it is another character, but it still ends a string of a shell or of XML.
  package func replacing(scalars replacements: [Unicode.Scalar: String]) -> String {
    unicodeScalars.reduce(into: "") { $0 += replacements[$1] ?? String($1) }
  }
}

/// Tells scalar by scalar which parts of a text show: printable ones, and those that select or join the emoji before them.
package struct VisibleScalars: Sendable {
  private enum Emoji {
    case none, base, selected
  }

  private var emoji = Emoji.none

  package init() {}

  /// `true` if the next scalar shows.
  package mutating func shows(_ scalar: Unicode.Scalar) -> Bool {
    switch (scalar, emoji) {
    case ("\u{FE0F}", .base):
      emoji = .selected
      return true
    case ("\u{200D}", .base), ("\u{200D}", .selected):
      emoji = .none
      return true
    default:
      let isPrintable = scalar.isPrintable
      // A digit is one as well, and would hide what follows it.
      emoji = isPrintable && !scalar.isASCII && scalar.properties.isEmoji ? .base : .none
      return isPrintable
    }
  }
}

/// Decides scalar by scalar which parts of a text must be escaped before it is shown.
///
/// A scalar that is not printable must be, unless it continues an emoji. So must the last character of the beginning of
/// a command of a CI service: GitHub Actions obeys `::` at the start of a line, after blanks, and `##[` anywhere. Azure
/// Pipelines and TeamCity obey `##vso[` and `##teamcity[`.
package struct TextGuard: Sendable {
  private enum Line {
    case blank, colon, text
  }

  private var line: Line
  private var visible = VisibleScalars()
  /// The number of `#` directly before, at most 2; letters may follow two.
  private var hashes = 0

  /// Creates a guard for text at the start of a line, or after other text in it.
  package init(atLineStart: Bool = true) { line = atLineStart ? .blank : .text }

  /// `true` if the next scalar must be written as an escape.
  package mutating func escapes(_ scalar: Unicode.Scalar) -> Bool {
    guard scalar.isASCII else {
      hashes = 0
      let isBlank = line == .blank && scalar.properties.isWhitespace && scalar.isPrintable
      line = isBlank ? .blank : .text
      return !visible.shows(scalar)
    }
    let isCommand = beginsCommand(scalar)
    return !visible.shows(scalar) || isCommand
  }

  /// Takes a text; returns `false` if a part of it must be escaped, or if that takes a closer look.
  package mutating func passes(_ text: some Collection<UInt8>) -> Bool {
    var guarded = self
    // The buffer is valid during the call. Going through a collection of another module costs ten times as much.
    let passed = text.withContiguousStorageIfAvailable { bytes in
      for index in bytes.indices {
        let byte = unsafe bytes[index]
        guard byte < 0x80, guarded.passes(ascii: byte) else { return false }
      }
      return true
    }
    defer { self = guarded }
    if let passed { return passed }
    return text.allSatisfy { $0 < 0x80 && guarded.passes(ascii: $0) }
  }

  /// Takes an ASCII character; returns `false` if it must be escaped.
  package mutating func passes(ascii byte: UInt8) -> Bool {
    // Most text: nothing that a terminal or a CI service obeys, or that continues the beginning of a command.
    let isPlain =
      byte >= 0x20 && byte < 0x7F && byte != UInt8(ascii: "#") && byte != UInt8(ascii: ":")
    guard isPlain, hashes == 0 else { return !escapes(Unicode.Scalar(byte)) }
    if line != .blank || byte != UInt8(ascii: " ") { line = .text }
    visible = VisibleScalars()
    return true
  }

  private mutating func beginsCommand(_ scalar: Unicode.Scalar) -> Bool {
    let isSecondColon = line == .colon && scalar == ":"
    switch line {
    case .blank where scalar == " ": break
    case .blank where scalar == ":": line = .colon
    default: line = .text
    }
    switch scalar {
    case "#": hashes = min(2, hashes + 1)
    case "[" where hashes == 2:
      hashes = 0
      return true
    case "a"..."z" where hashes == 2, "A"..."Z" where hashes == 2: break
    default: hashes = 0
    }
    return isSecondColon
  }
}
