/// Two pieces of fixed work: one that needs all that a core can do, and one that mostly waits.
///
/// Where another hardware thread runs on the same core, the first takes longer and the second as long as before. Both
/// follow the clock's frequency, so that the one by the other does not depend on it.
///
/// The state is kept between runs and shows in ``checksum``, so that no part of a run can be left out, or worked out when
/// the program is built.
package struct ControlLoop: Sendable {
  private var chain: UInt64 = 1
  private var lanes: (UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64) =
    (1, 2, 3, 4, 5, 6, 7, 8)

  package init() {}

  /// What all runs so far have come to.
  package var checksum: UInt64 {
    chain ^ lanes.0 ^ lanes.1 ^ lanes.2 ^ lanes.3 ^ lanes.4 ^ lanes.5 ^ lanes.6 ^ lanes.7
  }

  /// Multiplies, each of which needs the product of the one before.
  ///
  /// The exclusive or keeps a compiler from making one multiplication of several.
  @inline(never)
  package mutating func wait(_ count: Int) {
    var value = chain
    for _ in 0..<count { value = (value ^ 0x2545_F491) &* 6_364_136_223_846_793_005 }
    chain = value
  }

  /// Eight chains of two short operations each, none of which needs another chain: more than a core can do at once.
  ///
  /// They differ, because a compiler makes vectors of those that are alike.
  @inline(never)
  package mutating func work(_ count: Int) {
    var (first, second, third, fourth, fifth, sixth, seventh, eighth) = lanes
    for _ in 0..<count {
      first = (first ^ 0x1E37_79B9) &+ 0x2545_F491
      second = (second &+ 0x42B2_AE35) ^ 0x05EB_CA6B
      third = (third &<< 13 | third &>> 51) | 0x0108_0041
      fourth = (fourth &<< 5 | fourth &>> 59) ^ 0x1B87_3593
      fifth = (fifth &<< 9 | fifth &>> 55) &+ 0x5AB5_4D31
      sixth = (sixth & 0x7FFF_FFFB) &+ 0x1656_67B1
      seventh = (seventh &+ 0x27D4_EB2F) & 0x7FEB_352D
      eighth = (eighth &<< 21 | eighth &>> 43) & 0x7EB3_4AE5_1681_46CA
    }
    lanes = (first, second, third, fourth, fifth, sixth, seventh, eighth)
  }
}
