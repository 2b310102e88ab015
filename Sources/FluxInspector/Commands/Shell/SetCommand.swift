/// The command `set NAME VALUE`.
struct SetCommand: Command {
  let name = "set"
  let group = CommandGroup.shell
  let synopsis = "set NAME VALUE"
  let summary = "change a setting"
  let help = "show lists the settings, what they are for, and the values that they can have."
  let examples = ["set format json", "set list 10", "set pager off"]
  let arguments = ArgumentStyle.words(2)
  let completions = [CompletionKind.setting, .settingValue]

  func run(_ arguments: CommandArguments, in session: inout Session) throws -> any Answer {
    guard arguments.words.count == 2 else {
      throw arguments.usage("expected the name of a setting and its value")
    }
    guard let setting = Setting.all.first(where: { $0.name == arguments.words[0] }) else {
      throw CommandError.noSetting(arguments.words[0])
    }
    guard setting.change(&session.settings, arguments.words[1]) else {
      throw arguments.usage(
        "\(setting.name) cannot be \(arguments.words[1])", hint: "it is \(setting.choices)")
    }
    return SettingsAnswer(settings: session.settings, shown: [setting])
  }
}
