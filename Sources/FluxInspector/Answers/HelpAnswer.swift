import FluxLog

/// All there is to say of a command.
struct HelpAnswer: Answer {
  let command: any Command

  func write(to json: inout JSONOutput) throws {
    json.writer.beginObject()
    json.writer.summary(of: command)
    json.writer.member("help", command.help)
    json.writer.name("options")
    json.writer.beginArray()
    for option in command.options {
      json.writer.beginObject()
      json.writer.member("name", option.name)
      if let value = option.value { json.writer.member("value", value) }
      json.writer.member("summary", option.summary)
      json.writer.endObject()
    }
    json.writer.endArray()
    json.writer.name("examples")
    json.writer.strings(command.examples)
    json.writer.endObject()
  }

  func write(to text: inout TextOutput) throws {
    text.write(command.synopsis, .heading)
    try text.line(
      command.aliases.isEmpty ? "" : "  (also \(command.aliases.joined(separator: ", ")))", .dim)
    try text.line(command.summary)
    for option in command.options {
      text.write("  \(option.text)", .action)
      try text.line("  \(option.summary)")
    }
    try text.endLine()
    try text.paragraphs(command.help)
    guard !command.examples.isEmpty else { return }
    try text.endLine()
    for example in command.examples { try text.line("  \(example)", .dim) }
  }
}

extension CommandOption {
  /// The option and what stands for its value.
  var text: String { value.map { "\(name) \($0)" } ?? name }
}

extension TextOutput {
  /// Writes paragraphs that are separated by empty lines, broken so that they fit in a terminal.
  mutating func paragraphs(_ text: String) throws {
    for paragraph in text.split(separator: "\n", omittingEmptySubsequences: false) {
      var line = ""
      for word in paragraph.split(separator: " ") {
        if !line.isEmpty, line.count + 1 + word.count > Self.readableWidth {
          try self.line(line)
          line = ""
        }
        line += line.isEmpty ? String(word) : " \(word)"
      }
      try self.line(line)
    }
  }

  /// No terminal is narrower, and no line is easier to read.
  private static var readableWidth: Int { 76 }
}
