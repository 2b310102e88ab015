import FluxReplay
import Testing

@Suite struct ReplayFailureTests {
  @Test(
    "a failure says what happened, where, what was expected and what to do next",
    arguments: [
      (
        ReplayFailure(.cannotStart(why: "there is no such file"), app: "/bin/shop"),
        "/bin/shop: the app cannot be replayed: there is no such file"
      ),
      (
        ReplayFailure(
          .exited(.signal(4, name: "SIGILL")), app: "shop", step: 7, action: "cart/crash"),
        "shop: step 7, cart/crash: the app was terminated by signal 4 (SIGILL); run it in a debugger and "
          + "dispatch the actions up to this step to see why"
      ),
      (
        ReplayFailure(.exited(.status(1)), app: "shop"),
        "shop: the app exited with status 1; run it in a debugger to see why"
      ),
      (
        ReplayFailure(.timedOut(seconds: 2.5), step: 3, action: "cart/spin"),
        "step 3, cart/spin: the app did not answer within 2.5 s and was stopped; allow it more time, "
          + "or look for a reducer that does not return"
      ),
      (
        ReplayFailure(.unresponsive(seconds: 10), step: 3, action: "cart/spin"),
        "step 3, cart/spin: the app did not answer within 10.0 s, and may still be in the step; look for a "
          + "reducer that does not return, and for a debugger that has stopped the app"
      ),
      (
        ReplayFailure(.protocolViolation(found: "3 steps", expected: "2"), app: "shop"),
        "shop: the app broke the protocol: 3 steps; expected 2"
      ),
      (
        ReplayFailure(.statesNotRestorable([.init(store: "cart", why: "no \"items\"")])),
        "the state of cart does not fit the app: no \"items\"; if the type has changed, "
          + "add an upcaster for its state to the app's Evolution"
      ),
      (
        ReplayFailure(.refused(method: "session/states", why: "KeyError"), app: "shop"),
        "shop: the app answered session/states with an error: KeyError"
      ),
      (
        ReplayFailure(.cannotStart(why: "it says \u{1B}[31mred")),
        "the app cannot be replayed: it says \\u{1b}[31mred"
      ),
    ] as [(ReplayFailure, String)])
  func messages(_ failure: ReplayFailure, _ message: String) {
    #expect(failure.description == message)
  }

  @Test("output of the app cannot give a CI service a command")
  func commands() {
    var failure = ReplayFailure(.exited(.unknown), app: "shop")
    failure.lastWords = ["::error::x", " ##vso[task]"]
    #expect(
      failure.description == #"""
        shop: the app exited; run it in a debugger to see why
          its last lines on standard error:
            :\u{3a}error::x
             ##vso\u{5b}task]
        """#)
  }

  @Test("the note follows, and the app's last lines")
  func lastWords() {
    var failure = ReplayFailure(.exited(.unknown), app: "shop")
    failure.note = "it happened at one of the steps 1 to 3"
    failure.lastWords = ["no item \u{1B}[31m", "good bye"]
    #expect(
      failure.description == """
        shop: the app exited; run it in a debugger to see why; it happened at one of the steps 1 to 3
          its last lines on standard error:
            no item \\u{1b}[31m
            good bye
        """)
  }
}
