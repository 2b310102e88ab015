import TestFixtures

extension TemporaryFolder {
  /// Runs `flux-inspect verify` in the folder, with the counter as its app.
  ///
  /// How long it took, when and where, is left out of what it writes.
  func verify(_ arguments: String..., environment: [String: String] = [:]) throws -> ProgramRun {
    var run = try ProgramRun(
      ["verify"] + arguments + ["--app", BuiltProduct.path("CounterHost")],
      environment: environment, in: self)
    run.output = run.output.withoutMeasures
    run.errors = run.errors.withoutMeasures
    return run
  }
}

extension String {
  /// The text without seconds, moments, the machine, and the folder of the programs.
  var withoutMeasures: String {
    replacing(BuiltProduct.path("CounterHost"), with: "HOST")
      .replacing(BuiltProduct.path("flux-inspect"), with: "flux-inspect")
      .replacing(#/"seconds":[0-9.]+/#, with: #""seconds":S"#)
      .replacing(#/time="[0-9.]+"/#, with: #"time="S""#)
      .replacing(#/timestamp="[^"]+" hostname="[^"]+"/#, with: #"timestamp="T" hostname="H""#)
      .replacing(#/\| [0-9]+\.[0-9]{3} \|/#, with: "| S |")
  }
}
