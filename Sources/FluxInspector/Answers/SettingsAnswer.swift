import FluxLog

/// Settings and their values: `{"settings":{"format":"text"}}`.
struct SettingsAnswer: Answer {
  let settings: Settings
  let shown: [Setting]

  func write(to json: inout JSONOutput) throws {
    json.writer.beginObject()
    json.writer.name("settings")
    json.writer.beginObject()
    for setting in shown {
      json.writer.name(setting.name)
      let value = setting.value(settings)
      if setting.values == nil { json.writer.raw(value.utf8) } else { json.writer.string(value) }
    }
    json.writer.endObject()
    json.writer.endObject()
  }

  func write(to text: inout TextOutput) throws {
    for setting in shown {
      text.write(setting.name, .heading)
      text.write(" \(setting.value(settings))")
      try text.line("  \(setting.summary): \(setting.choices)", .dim)
    }
  }
}
