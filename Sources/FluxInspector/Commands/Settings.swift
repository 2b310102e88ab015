import FluxJSON
import FluxLog

/// The settings of a console, which `set` changes and `show` lists.
public struct Settings: Sendable {
  /// The cases in which output has colors.
  public enum Color: String, Sendable, CaseIterable {
    /// If it goes to a terminal.
    case auto
    /// Always.
    case always
    /// Never.
    case never
  }

  /// The format of output.
  public var format = OutputFormatName.text
  /// The cases in which output has colors.
  public var color = Color.auto
  /// `true` to show long output in a pager.
  public var usesPager = true
  /// The number of steps that `list` shows before and after the one here.
  public var listContext = 5
  /// The seconds that the app may take to start and for one call; 0 for no limit.
  public var timeout = 30.0

  /// `true` to go on after a command of a sourced file that failed.
  public var keepsGoing = false

  /// The default settings.
  public init() {}
}

/// One setting, as `set` and `show` know it.
struct Setting: Sendable {
  let name: String
  /// The purpose, as one line without a full stop.
  let summary: String
  /// The possible values; nil for any number from 0.
  let values: [String]?
  let value: @Sendable (Settings) -> String
  /// Changes the value; returns `false` for a value that it cannot have.
  let change: @Sendable (inout Settings, String) -> Bool
}

extension Setting {
  static let all = [
    Setting(
      name: "color", summary: "when output has colors", values: Settings.Color.names,
      value: { $0.color.rawValue },
      change: { settings, word in word.set(&settings.color) }),
    Setting(
      name: "format", summary: "the format of results", values: OutputFormatName.names,
      value: { $0.format.rawValue },
      change: { settings, word in word.set(&settings.format) }),
    Setting(
      name: "list", summary: "the number of steps that list shows before and after the one here",
      values: nil, value: { String($0.listContext) },
      change: { settings, word in
        guard let count = Int(word), count >= 0 else { return false }
        settings.listContext = count
        return true
      }),
    Setting(
      name: "pager", summary: "show long output in a pager", values: ["on", "off"],
      value: { $0.usesPager ? "on" : "off" },
      change: { settings, word in
        guard word == "on" || word == "off" else { return false }
        settings.usesPager = word == "on"
        return true
      }),
    Setting(
      name: "timeout",
      summary: "the seconds that the app may take to start and for one call, 0 for no limit",
      values: nil, value: { $0.timeout.formatted },
      change: { settings, word in
        guard let seconds = Double(word), seconds.isFinite, seconds >= 0 else { return false }
        settings.timeout = seconds
        return true
      }),
  ]

  var choices: String { values?.joined(separator: ", ") ?? "a number from 0" }

  /// Finds a setting.
  ///
  /// - Throws: ``CommandError`` of code `not-found` with a suggestion.
  static func named(_ name: String) throws(CommandError) -> Setting {
    if let setting = all.first(where: { $0.name == name }) { return setting }
    let names = all.map(\.name)
    throw CommandError(
      .notFound, "no setting \(name)\(Spelling.question(name, among: names))",
      hint: "the settings are \(names.joined(separator: ", "))")
  }
}

extension Double {
  /// The number, without a fraction if that is zero: `30`, `0.5`.
  fileprivate var formatted: String {
    let text = String(self)
    return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
  }
}

extension CaseIterable where Self: RawRepresentable, RawValue == String {
  fileprivate static var names: [String] { allCases.map(\.rawValue) }
}

extension String {
  /// Sets a value to the case of this name; returns `false` if there is none.
  fileprivate func set<Value: RawRepresentable>(
    _ value: inout Value
  ) -> Bool where Value.RawValue == String {
    guard let named = Value(rawValue: self) else { return false }
    value = named
    return true
  }
}
