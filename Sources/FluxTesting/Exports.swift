// A test imports this module only, and has `DispatcherExpectation`, `TestClock` and `TestSession` with it.
@_exported public import FluxRecordings
