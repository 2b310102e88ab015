public import ArgumentParser
public import FluxInspector

/// How results are written.
struct OutputOptions: ParsableArguments {
  @Option(help: "How results are written.")
  var format = OutputFormatName.text

  @Option(help: "When output has colours; NO_COLOR and CLICOLOR are obeyed.")
  var color = Settings.Color.auto

  @Flag(help: "Never shows long output in a pager.")
  var noPager = false

  /// The same, as the settings of a session.
  var settings: Settings {
    var settings = Settings()
    settings.format = format
    settings.color = color
    settings.usesPager = !noPager
    return settings
  }
}

extension OutputFormatName: ExpressibleByArgument {}
extension Settings.Color: ExpressibleByArgument {}
