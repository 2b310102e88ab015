import ArgumentParser

/// Measures every figure that the documentation claims.
@main
struct FluxBenchmarks: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "flux-benchmarks",
    abstract:
      "Measures every figure that the documentation claims, beside what a user would pick instead.",
    subcommands: [
      RunCommand.self, CompareCommand.self, PairsCommand.self, GrowthCommand.self,
      InstructionsCommand.self,
      DocumentCommand.self, MeasureCommand.self, MemoryCommand.self,
    ],
    defaultSubcommand: RunCommand.self)
}
