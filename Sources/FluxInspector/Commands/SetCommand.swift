import FluxJSON
import FluxLog

extension Command {
  static let set = Command(
    "set", group: .shell, synopsis: "set NAME VALUE", summary: "Change a setting",
    help: "show lists the settings, their purpose and their possible values.",
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
        "\(setting.name) cannot be \(arguments.words[1])", hint: "it is \(setting.choices)")
    }
    return try .settings([setting], of: console)
  }

  static let show = Command(
    "show", group: .shell, synopsis: "show [NAME]", summary: "Show one setting, or all",
    help: "set changes them; they last as long as the session.",
    examples: ["show", "show format"], arguments: .words(1), completions: [.setting]
  ) { arguments, console in
    let setting = try arguments.words.first.map { try Setting.named($0) }
    return try .settings(setting.map { [$0] } ?? Setting.all, of: console)
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
