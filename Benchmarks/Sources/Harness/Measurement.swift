/// The times that repeated runs of one piece of work took.
public struct Measurement: Sendable {
  /// What was measured.
  public let name: String
  /// The seconds that one run took, in ascending order.
  public let seconds: [Double]
  /// The bytes that one run went through, 0 where speed in bytes means nothing.
  public let bytes: Int

  /// Takes times that were measured elsewhere, in seconds and in any order.
  public init(name: String, seconds: [Double], bytes: Int = 0) {
    self.name = name
    self.seconds = seconds.sorted()
    self.bytes = bytes
  }

  /// The time that half of the runs stayed below, in seconds.
  public var median: Double { seconds[seconds.count / 2] }

  /// Half of the distance between the quartiles, as a share of the median.
  public var spread: Double {
    (seconds[seconds.count * 3 / 4] - seconds[seconds.count / 4]) / 2 / median
  }

  /// Returns how many times longer `rival` took.
  public func speedup(over rival: Measurement) -> Double { rival.median / median }

  /// Measures one piece of work.
  ///
  /// Work that is too short for the clock is repeated within a sample, so that a sample takes
  /// about `sampleSeconds`. The runs that find out how often warm up, and do not count.
  ///
  /// - Parameters:
  ///   - name: What is measured.
  ///   - bytes: The bytes that one run goes through.
  ///   - samples: The number of samples.
  ///   - sampleSeconds: The aim for the time of one sample.
  ///   - work: The work; what it returns is kept from being optimised away.
  /// - Returns: The times of one run each.
  public static func measure<R>(
    _ name: String, bytes: Int = 0, samples: Int = 25, sampleSeconds: Double = 0.02,
    _ work: () throws -> R
  ) rethrows -> Measurement {
    let runs = try calibrate(sampleSeconds, work)
    var seconds: [Double] = []
    for _ in 0..<max(samples, 4) { seconds.append(try sample(runs, work)) }
    return Measurement(name: name, seconds: seconds, bytes: bytes)
  }

  /// Measures two pieces of work in turns, so that both meet the same weather on the machine.
  ///
  /// - Parameters:
  ///   - name: What the first one is.
  ///   - rivalName: What the second one is.
  ///   - bytes: The bytes that one run of either goes through.
  ///   - samples: The number of samples of each.
  ///   - sampleSeconds: The aim for the time of one sample.
  ///   - work: The first one.
  ///   - rival: The second one.
  /// - Returns: The times of one run each, of both.
  public static func compare<R, S>(
    _ name: String, with rivalName: String, bytes: Int = 0, samples: Int = 25,
    sampleSeconds: Double = 0.02, _ work: () throws -> R, _ rival: () throws -> S
  ) rethrows -> (work: Measurement, rival: Measurement) {
    let (workRuns, rivalRuns) = (
      try calibrate(sampleSeconds, work), try calibrate(sampleSeconds, rival)
    )
    var (workSeconds, rivalSeconds): ([Double], [Double]) = ([], [])
    for _ in 0..<max(samples, 4) {
      workSeconds.append(try sample(workRuns, work))
      rivalSeconds.append(try sample(rivalRuns, rival))
    }
    return (
      Measurement(name: name, seconds: workSeconds, bytes: bytes),
      Measurement(name: rivalName, seconds: rivalSeconds, bytes: bytes)
    )
  }

  /// How many runs a sample takes.
  private static func calibrate<R>(
    _ sampleSeconds: Double, _ work: () throws -> R
  ) rethrows -> Int {
    var runs = 1
    while try sample(runs, work) * Double(runs) < sampleSeconds, runs < 1 << 24 { runs *= 2 }
    return runs
  }

  /// The seconds of one run, as the mean of some.
  private static func sample<R>(_ runs: Int, _ work: () throws -> R) rethrows -> Double {
    let clock = ContinuousClock()
    let start = clock.now
    for _ in 0..<runs { keep(try work()) }
    return (clock.now - start) / .seconds(1) / Double(runs)
  }

  @inline(never)
  private static func keep<R>(_ result: R) {}
}

extension Measurement: CustomStringConvertible {
  /// One line of a report: name, median, spread, and speed where the bytes are known.
  public var description: String {
    let padded = name + String(repeating: " ", count: max(1, 44 - name.count))
    let speed = bytes > 0 ? "  \(Self.rounded(Double(bytes) / median / 1e9)) GB/s" : ""
    return "\(padded)\(Self.readable(median))  ±\(Self.rounded(spread * 100)) %\(speed)"
  }

  private static func readable(_ seconds: Double) -> String {
    if seconds < 1e-6 { return "\(rounded(seconds * 1e9)) ns" }
    if seconds < 1e-3 { return "\(rounded(seconds * 1e6)) us" }
    return seconds < 1 ? "\(rounded(seconds * 1e3)) ms" : "\(rounded(seconds)) s"
  }

  /// Rounds to two decimals.
  public static func rounded(_ value: Double) -> Double { (value * 100).rounded() / 100 }
}
