import FluxInspector
import FluxJSON
import FluxLog

extension Command {
  static let set = Command(
    "set", group: .shell, synopsis: "set NAME VALUE", summary: "Change a setting",
    help: "'show settings' lists the settings, their purpose and their possible values.",
    examples: ["set format json", "set list 10", "set pager off", "set identity todos.items=key"],
    arguments: .words(2),
    completions: [.setting, .settingValue]
  ) { arguments, console in
    guard arguments.words.count == 2 else {
      throw arguments.usage("expected the name of a setting and its value")
    }
    let setting = try Setting.named(arguments.words[0])
    guard setting.change(&console.settings, arguments.words[1]) else {
      throw arguments.usage(
        "\(setting.name) cannot be \(arguments.words[1])", hint: "expected \(setting.choices)")
    }
    return try .settings([setting], of: console)
  }

  static let show = Command(
    "show", group: .shell, synopsis: "show [NAME | PATH | POS | on | off]",
    summary: "Show settings, a value, or the position in the app",
    help: """
      'set' changes settings; they last as long as the session. 'show settings' shows all of them. A PATH \
      that begins with the name of a store is shown as by 'print'.

      In a session with a running app, 'show' and 'show POS' show the state at a position in the app's views. \
      Meanwhile the app continues: new actions are dispatched and recorded. At the newest step, and after 'resume', \
      the views show the newest state again. 'show on' does the same after each move, until 'show off'.
      """,
    examples: ["show", "show format", "show 17", "show on"], arguments: .words(1),
    completions: [.pathOr(.setting)]
  ) { arguments, console in
    let word = arguments.words.first
    if word == "settings" { return try .settings(Setting.all, of: console) }
    if let setting = Setting.all.first(where: { $0.name == word }) {
      return try .settings([setting], of: console)
    }
    if let word, console.session.log.storeNames.contains(String(word.prefix { !".[".contains($0) }))
    {
      return try .value(of: try arguments.query(word), in: console.session)
    }
    guard console.session.services.live != nil || word == "on" || word == "off" else {
      return try .settings(word.map { [try Setting.named($0)] } ?? Setting.all, of: console)
    }
    switch word {
    case "on", "off": return .live(try console.session.showMoves(word == "on"))
    case let word?: return .live(try console.session.show(at: try arguments.position(word)))
    case nil: return .live(try console.session.show())
    }
  }
}

/// Settings and their values: `{"settings":{"format":"text"}}`.
private struct SettingValues: CommandResult {
  let settings: OrderedMembers<JSON>
}

extension Reply {
  fileprivate static func settings(_ shown: [Setting], of console: Console) throws -> Reply {
    let settings = console.settings
    let values = try shown.map { setting in
      let text = setting.value(settings)
      return (setting.name, setting.isNumber ? try JSON.parse(text) : JSON(stringLiteral: text))
    }
    return Reply(SettingValues(settings: OrderedMembers(values))) { _, text in
      for setting in shown {
        text.write(setting.name, .heading)
        text.write(" \(setting.value(settings))")
        try text.line("  \(setting.summary): \(setting.choices)", .dim)
      }
    }
  }
}
