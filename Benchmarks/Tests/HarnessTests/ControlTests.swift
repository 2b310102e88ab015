import Testing

@testable import Harness

@Suite struct ControlTests {
  @Test(
    "a whole core reads what the lowest readings agree on",
    arguments: [
      ([], nil),
      ([1.2], 1.2),
      ([1.0, 1.1, 1.3], 1.1),
      ([1.0, 1.001, 1.004, 1.006, 1.009], 1.0),
      // One that was disturbed in the other direction does not count.
      ([1.3, 0.85, 1.006, 1.0, 1.001, 1.4, 1.005, 1.003], 1.0),
      // Shared all the time: nothing better is known.
      ([1.21, 1.2, 1.203, 1.205, 1.21, 1.4], 1.2),
    ] as [([Double], Double?)])
  func wholeCore(readings: [Double], value: Double?) {
    var whole = WholeCore()
    for reading in readings { whole.add(reading) }
    #expect(whole.value == value)
  }

  @Test("of many readings, a hundredth has to agree")
  func crowd() {
    var whole = WholeCore()
    for _ in 0..<9 { whole.add(0.8) }
    for _ in 0..<991 { whole.add(1) }
    #expect(whole.value == 1)
    whole.add(0.8)
    #expect(whole.value == 0.8)
  }

  @Test(
    "the load is a reading by that of a whole core, which is learned or known before",
    arguments: [(nil, 1.25), (2.5, 1.25), (1.6, 1.5625)] as [(Double?, Double)])
  func load(known: Double?, load: Double) {
    var reading = 2.0
    let control = Control(whole: known, first: 5) { _ in reading }
    reading = 2.5
    #expect(control.load(of: .one) == load)
    #expect(control.whole == min(2, known ?? 2))
  }

  @Test("a control looks at the cores that it is asked about")
  func cores() {
    let control = Control(whole: 1, first: 5) { cores in cores == .one ? 1 : 1.5 }
    #expect(control.load(of: .one) == 1)
    #expect(control.load(of: .all) == 1.5)
  }
}
