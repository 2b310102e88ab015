/// The command `show [NAME]`.
struct ShowCommand: Command {
  let name = "show"
  let group = CommandGroup.shell
  let synopsis = "show [NAME]"
  let summary = "show one setting, or all"
  let help = "set changes them; they last as long as the session."
  let examples = ["show", "show format"]
  let arguments = ArgumentStyle.words(1)
  let completions = [CompletionKind.setting]

  func run(_ arguments: CommandArguments, in session: inout Session) throws -> any Answer {
    guard let name = arguments.words.first else {
      return SettingsAnswer(settings: session.settings, shown: Setting.all)
    }
    guard let setting = Setting.all.first(where: { $0.name == name }) else {
      throw CommandError.noSetting(name)
    }
    return SettingsAnswer(settings: session.settings, shown: [setting])
  }
}
