public import ArgumentParser
public import FluxInspector

/// The options for output.
package struct OutputOptions: ParsableArguments {
  @Option(help: "The form of results")
  package var format = OutputFormatName.text

  @Option(help: "When to color output; auto obeys NO_COLOR and CLICOLOR")
  package var color = Settings.Color.auto

  @Flag(help: "Never page long output")
  package var noPager = false

  package init() {}

  /// The options as settings of a session.
  package var settings: Settings {
    var settings = Settings()
    settings.format = format
    settings.color = color
    settings.usesPager = !noPager
    return settings
  }
}

extension OutputFormatName: ExpressibleByArgument {}
extension Settings.Color: ExpressibleByArgument {}
