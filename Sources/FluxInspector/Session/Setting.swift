import FluxLog

/// One of the settings, as `set` and `show` know it.
struct Setting: Sendable {
  let name: String
  /// What it is for, as one line without a full stop.
  let summary: String
  /// The values that it can have; nil for any number from 0.
  let values: [String]?
  /// Reads the value.
  let value: @Sendable (Settings) -> String
  /// Changes the value; returns whether it can have this one.
  let change: @Sendable (inout Settings, String) -> Bool
}

extension Setting {
  /// All settings, a few lines each.
  static let all = [
    Setting(
      name: "color", summary: "when output has colours", values: Settings.Color.names,
      value: { $0.color.rawValue },
      change: { settings, word in word.set(&settings.color) }),
    Setting(
      name: "format", summary: "how results are written", values: OutputFormatName.names,
      value: { $0.format.rawValue },
      change: { settings, word in word.set(&settings.format) }),
    Setting(
      name: "list", summary: "how many steps list shows before and after the one here",
      values: nil, value: { String($0.listContext) },
      change: { settings, word in
        guard let count = Int(word), count >= 0 else { return false }
        settings.listContext = count
        return true
      }),
    Setting(
      name: "pager", summary: "whether long output is shown in a pager", values: ["on", "off"],
      value: { $0.usesPager ? "on" : "off" },
      change: { settings, word in
        guard word == "on" || word == "off" else { return false }
        settings.usesPager = word == "on"
        return true
      }),
    Setting(
      name: "timeout",
      summary: "how many seconds the app may take to start, and over a call, 0 for any",
      values: nil, value: { $0.timeout.formatted },
      change: { settings, word in
        guard let seconds = Double(word), seconds.isFinite, seconds >= 0 else { return false }
        settings.timeout = seconds
        return true
      }),
  ]

  /// What the value may be, for messages.
  var choices: String { values?.joined(separator: ", ") ?? "a number from 0" }
}

extension Double {
  /// The number, without a fraction where it has none: `30`, `0.5`.
  fileprivate var formatted: String {
    let text = String(self)
    return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
  }
}

extension CaseIterable where Self: RawRepresentable, RawValue == String {
  fileprivate static var names: [String] { allCases.map(\.rawValue) }
}

extension String {
  /// Sets a value to the case of this name; returns whether there is one.
  fileprivate func set<Value: RawRepresentable>(
    _ value: inout Value
  ) -> Bool where Value.RawValue == String {
    guard let named = Value(rawValue: self) else { return false }
    value = named
    return true
  }
}

extension CommandError {
  /// The error that says that there is no such setting, and which are meant.
  static func noSetting(_ name: String) -> CommandError {
    let names = Setting.all.map(\.name)
    let nearest = Spelling.nearest(to: name, among: names)
    return CommandError(
      .notFound, "no setting \(name)" + (nearest.map { "; did you mean \($0)?" } ?? ""),
      hint: "the settings are \(names.joined(separator: ", "))")
  }
}
