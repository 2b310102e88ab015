/// Up to sixteen bytes that a line is expected to contain, each half with its first byte lowest.
///
/// Written as numbers, so that comparisons compile to constants.
struct LineWord {
  let low: UInt64
  let high: UInt64
  let count: Int
}

// The names of members with the punctuation around them, as writers write them.
extension LineWord {
  // {"n":
  static var number: LineWord {
    LineWord(low: 0x0000_003A_226E_227B, high: 0x0000_0000_0000_0000, count: 5)
  }

  // ,"t":
  static var time: LineWord {
    LineWord(low: 0x0000_003A_2274_222C, high: 0x0000_0000_0000_0000, count: 5)
  }

  // ,"action":
  static var action: LineWord {
    LineWord(low: 0x6E6F_6974_6361_222C, high: 0x0000_0000_0000_3A22, count: 10)
  }

  // {"type":"
  static var type: LineWord {
    LineWord(low: 0x3A22_6570_7974_227B, high: 0x0000_0000_0000_0022, count: 9)
  }

  // ,"patches":{
  static var patches: LineWord {
    LineWord(low: 0x6568_6374_6170_222C, high: 0x0000_0000_7B3A_2273, count: 12)
  }

  // ,"states":{
  static var states: LineWord {
    LineWord(low: 0x7365_7461_7473_222C, high: 0x0000_0000_007B_3A22, count: 11)
  }

  // ,"cause":
  static var cause: LineWord {
    LineWord(low: 0x2265_7375_6163_222C, high: 0x0000_0000_0000_003A, count: 9)
  }

  // ,"took":
  static var took: LineWord {
    LineWord(low: 0x3A22_6B6F_6F74_222C, high: 0x0000_0000_0000_0000, count: 8)
  }

  // ,"target":"
  static var target: LineWord {
    LineWord(low: 0x7465_6772_6174_222C, high: 0x0000_0000_0022_3A22, count: 11)
  }

  // ,"effect":"
  static var effect: LineWord {
    LineWord(low: 0x7463_6566_6665_222C, high: 0x0000_0000_0022_3A22, count: 11)
  }

  // ,"from":"
  static var from: LineWord {
    LineWord(low: 0x3A22_6D6F_7266_222C, high: 0x0000_0000_0000_0022, count: 9)
  }

  // ,"at":"
  static var source: LineWord {
    LineWord(low: 0x0022_3A22_7461_222C, high: 0x0000_0000_0000_0000, count: 7)
  }

  // ,"removed":[
  static var removed: LineWord {
    LineWord(low: 0x6576_6F6D_6572_222C, high: 0x0000_0000_5B3A_2264, count: 12)
  }

  // ,"rejected":{
  static var rejected: LineWord {
    LineWord(low: 0x7463_656A_6572_222C, high: 0x0000_007B_3A22_6465, count: 13)
  }
}
