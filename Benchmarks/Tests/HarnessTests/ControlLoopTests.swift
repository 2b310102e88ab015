import Testing

@testable import Harness

@Suite struct ControlLoopTests {
  @Test(
    "every turn of both pieces is made, in one run or in several",
    arguments: [[1_000], [1, 0, 999]])
  func turns(runs: [Int]) {
    var loop = ControlLoop()
    for count in runs { loop.wait(count) }
    #expect(loop.checksum == 7_979_272_216_759_367_929)
    for count in runs { loop.work(count) }
    #expect(loop.checksum == 10_190_627_702_712_480_792)
  }

  @Test(
    "a reading is the middle time of working by the shortest one of waiting",
    arguments: [
      ([2, 2, 2], [4, 4, 4], 0.5),
      // An interrupt in each does not show.
      ([2, 90, 2], [4, 4, 90], 0.5),
      // Another thread on the core: working takes longer, waiting does not.
      ([3, 3.5, 3], [4, 4.1, 4], 0.75),
      // Another frequency: both do.
      ([4, 4, 4], [8, 8, 8], 0.5),
    ] as [([Double], [Double], Double)])
  func reading(worked: [Double], waited: [Double], reading: Double) {
    #expect(ControlLoop.reading(worked: worked, waited: waited) == reading)
  }
}
