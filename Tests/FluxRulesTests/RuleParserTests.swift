import FluxRules
import Testing

@Suite struct RuleParserTests {
  @Test("a file may begin with a byte order mark")
  func byteOrderMark() throws {
    let rules = try RuleSet("\u{FEFF}rule a: never b\r\nrule c: never d\r\n")
    #expect(rules.rules.map { "\($0.line) \($0.name)" } == ["1 a", "2 c"])
  }

  @Test("a file has a rule a line, blank lines and comments")
  func files() throws {
    let rules = try RuleSet(
      """
      # the shop

      rule total:   always cart.total >= 0
        rule gated: after session/login until session/logout never cart/clear if length(cart.lines) > 0
      rule answer:  search/submit leads to search/answered within 5s
      rule once:    at most 1 of checkout/paid between checkout/begin and checkout/end
      rule refused: never rejected checkout/* after session/login
      rule steady:  todos.nextID never decreases
      rule there:   globally eventually (cart.coupon)
      rule third:   cart.items[2].price > 3 && !(cart.free) precedes checkout/paid before app/end
      rule quick:   a leads to b within 200 ms
      rule soon:    a leads to b within 3steps
      rule odd:     never $.action.type == 'until'
      rule free:    after a/b !(cart.free) leads to a/c
      rule paid:    after cart.total == 1 until a/b !(cart.free) precedes a/c
      """)
    #expect(
      rules.rules.map { "\($0.line) \($0.name)" } == [
        "3 total", "4 gated", "5 answer", "6 once", "7 refused", "8 steady", "9 there", "10 third",
        "11 quick", "12 soon", "13 odd", "14 free", "15 paid",
      ])
    #expect(rules.rules[0].text == "always cart.total >= 0")
    #expect(
      rules.rules[1].text
        == "after session/login until session/logout never cart/clear if length(cart.lines) > 0")
  }

  @Test(
    "a mistake is shown at its column, with a suggestion",
    arguments: [
      (
        "rul total: always a",
        """
        rules:1:1: expected 'rule NAME:', found 'rul'
          rul total: always a
          ^
        did you mean 'rule'?
        """
      ),
      (
        "rule total always a",
        """
        rules:1:12: expected ':' after the name of the rule, found 'always'
          rule total always a
                     ^
        """
      ),
      (
        "rule total: alway cart.total >= 0",
        """
        rules:1:13: 'alway' is not a pattern
          rule total: alway cart.total >= 0
                      ^
        did you mean 'always'?
        """
      ),
      (
        "rule a: search lead to answer",
        """
        rules:1:16: expected 'precedes', 'leads to' or 'never increases|decreases', found 'lead'
          rule a: search lead to answer
                         ^
        did you mean 'leads'?
        """
      ),
      (
        "rule a: always cart.total >=",
        """
        rules:1:29: expected a path, a literal or a function, found the end
          rule a: always cart.total >=
                                      ^
        """
      ),
      (
        "rule a: always cart.total = 0",
        """
        rules:1:27: expected '&&', '||' or the end of the condition
          rule a: always cart.total = 0
                                    ^
        values are compared with '=='
        """
      ),
      (
        "rule a: always cart.total => 0",
        """
        rules:1:27: expected '&&', '||' or the end of the condition
          rule a: always cart.total => 0
                                    ^
        at least is '>='
        """
      ),
      (
        #"{"flux":"1.2","stores":{}}"#,
        """
        rules:1:1: expected 'rule NAME:', found a line of JSON
          {…}
          ^
        the file of rules comes before the logs
        """
      ),
      (
        "rule a: never until",
        """
        rules:1:15: expected a condition, found the keyword 'until'
          rule a: never until
                        ^
        write an action type that is a keyword as $.action.type == 'until'
        """
      ),
      (
        "rule a: never x after y untill z",
        """
        rules:1:25: expected the end of the rule, found 'untill'
          rule a: never x after y untill z
                                  ^
        did you mean 'until'?
        """
      ),
      (
        "rule a: never x within 5s",
        """
        rules:1:17: expected a scope or the end of the rule, found 'within'
          rule a: never x within 5s
                          ^
        """
      ),
      (
        "rule a: x leads to y within 5 days",
        """
        rules:1:29: expected a time such as 5s or 200ms, or a number of steps
          rule a: x leads to y within 5 days
                                      ^
        """
      ),
      (
        "rule a: todos.items[*].n never decreases",
        """
        rules:1:9: expected a path to one value of a store
          rule a: todos.items[*].n never decreases
                  ^
        for example cart.total
        """
      ),
      (
        "rule a: at most x of y",
        """
        rules:1:17: expected a number, at least 0, found 'x'
          rule a: at most x of y
                          ^
        """
      ),
      (
        "rule a: never b\nrule a: never c",
        """
        rules:2:6: line 1 already has a rule 'a'
          rule a: never c
               ^
        """
      ),
    ])
  func mistakes(_ text: String, _ message: String) {
    #expect {
      try RuleSet(text)
    } throws: { error in
      #expect("\(error)" == message)
      return true
    }
  }
}
