import FluxInspector
public import FluxJSON

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

  /// The members that identify the elements of arrays in differences, by the place of the array from the model.
  public var identities: [Pointer: String] = [:]

  /// The default settings.
  public init() {}
}

/// One setting, as `set` and `show` know it.
struct Setting: Sendable {
  let name: String
  /// The purpose, as one line without a full stop.
  let summary: String
  /// The possible values; nil for any number from 0, or for the form.
  let values: [String]?
  /// The form of a value that is neither a number nor one of a few words.
  var form: String?
  let value: @Sendable (Settings) -> String
  /// Changes the value; returns `false` for a value that it cannot have.
  let change: @Sendable (inout Settings, String) -> Bool

  static let all = [
    named("color", "when output has colors", \.color, switches: (on: .always, off: .never)),
    named("format", "the output format", \.format),
    identity,
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

  var choices: String { values?.joined(separator: ", ") ?? form ?? "a number, at least 0" }

  var isNumber: Bool { values == nil && form == nil }

  /// The members that identify elements: each word adds one.
  private static let identity = Setting(
    name: "identity", summary: "the members that identify elements of arrays in diff", values: nil,
    form: "PATH=MEMBER, or none",
    value: { settings in
      let texts = settings.identities.map { "\($0.key)=\($0.value)" }.sorted()
      return texts.isEmpty ? "none" : texts.joined(separator: " ")
    },
    change: { settings, word in
      guard word != "none" else {
        settings.identities = [:]
        return true
      }
      guard let mark = word.lastIndex(of: "="), word.index(after: mark) < word.endIndex else {
        return false
      }
      do throws(QueryError) {
        let path = try Path(String(word[..<mark]), dialect: .inspector)
        guard let tokens = path.place?.tokens, tokens.first == "state" else { return false }
        settings.identities[Pointer(tokens: tokens.dropFirst())] =
          String(word[word.index(after: mark)...])
        return true
      } catch {
        return false
      }
    })

  /// A setting whose values are the cases of an enumeration.
  ///
  /// With `switches`, it can be changed by `on` and `off` too.
  private static func named<Value: CaseIterable & RawRepresentable<String> & Sendable>(
    _ name: String, _ summary: String, _ value: any WritableKeyPath<Settings, Value> & Sendable,
    switches: (on: Value, off: Value)? = nil
  ) -> Setting {
    Setting(
      name: name, summary: summary, values: Value.allCases.map(\.rawValue),
      value: { $0[keyPath: value].rawValue },
      change: { settings, word in
        let switched = word == "on" ? switches?.on : word == "off" ? switches?.off : nil
        guard let named = switched ?? Value(rawValue: word) else { return false }
        settings[keyPath: value] = named
        return true
      })
  }

  /// Finds a setting.
  ///
  /// - Throws: `CommandError` of code `not-found` with a suggestion.
  static func named(_ name: String) throws(CommandError) -> Setting {
    if let setting = all.first(where: { $0.name == name }) { return setting }
    let names = all.map(\.name)
    throw CommandError(
      .notFound, "no setting \(name)\(Spelling.question(name, among: names))",
      hint: Position(name) != nil
        ? "to go to a step: goto \(name)" : "the settings are \(names.joined(separator: ", "))")
  }
}

extension Double {
  /// The number, without a fraction if that is zero: `30`, `0.5`.
  fileprivate var formatted: String {
    let text = String(self)
    return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
  }
}
