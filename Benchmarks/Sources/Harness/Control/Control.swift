/// Tells how much of a core a measurement had, whoever else is on it: other processes, and other guests of the host that
/// a virtual machine runs on, which no clock or counter of the machine shows.
package final class Control {
  /// What a core that nobody else uses is below: undisturbed readings lie within 0.6 % of each other, and the lowest
  /// ones of shared cores are 1.05.
  package static let mostQuiet = 1.03

  private let read: (Cores) -> Double
  private var own = WholeCore()
  private let known: Double

  /// Creates a control, and takes its first readings.
  ///
  /// - Parameters:
  ///   - whole: What earlier readings on this machine came to where the core was whole: a process that shares its core
  ///     all the time cannot find out by itself.
  ///   - first: How many readings are taken now.
  ///   - read: Returns a reading, which grows by what others take of the cores.
  package init(
    whole: Double? = nil, first: Int = 64,
    read: @escaping (Cores) -> Double = ControlLoop.reading(of:)
  ) {
    self.read = read
    known = whole ?? .infinity
    for _ in 0..<first { own.add(read(.one)) }
  }

  /// What the control reads of a whole core, as far as is known.
  package var whole: Double { min(known, own.value ?? known) }

  /// Looks at the cores now.
  ///
  /// - Returns: 1 where nobody else uses them; by how much a throughput suffers where somebody does.
  func load(of cores: Cores) -> Double {
    let reading = read(cores)
    own.add(reading)
    return reading / whole
  }
}
