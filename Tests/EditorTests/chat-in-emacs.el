;;; chat-in-emacs.el --- Debug a recording of Chat in Emacs -*- lexical-binding: t; -*-

;;; Commentary:

;; Drives dap-mode in a batch Emacs, as a user drives it: breakpoints at lines of the sources, a data breakpoint, steps
;; backwards, the chain of causes, a fork with an edited value, and a comparison.  Scripts/editor-test runs it, with the
;; program, the app, the log and the folder of the sources as arguments.  Ends with an error at the first difference.

;;; Code:

(require 'cl-lib)
(require 'package)
(setq user-emacs-directory (file-name-as-directory (getenv "FLUX_EMACS_HOME"))
      lsp-session-file (expand-file-name "lsp-session" user-emacs-directory)
      dap-breakpoints-file (expand-file-name "dap-breakpoints" user-emacs-directory)
      make-backup-files nil
      auto-save-default nil
      vc-handled-backends nil)
;; The packages of Debian, without the rest of its start-up files.
(add-to-list 'package-directory-list (getenv "FLUX_EMACS_PACKAGES"))
(package-activate-all)
(require 'dap-mode)

(defvar flux-dap-executable)
(defvar flux-checks 0 "The number of checks that passed.")

(pcase-let ((`(,program ,app ,log ,sources ,package) command-line-args-left))
  (load package nil t)
  (setq flux-dap-executable program
        command-line-args-left nil)
  (defconst flux-app app)
  (defconst flux-log log)
  (defconst flux-sources (file-name-as-directory sources)))

;;; Waiting and checking

(defun flux-session () "The session of the test." (dap--cur-session-or-die))

(defun flux-wait (what predicate)
  "Process output until PREDICATE returns something, and return that; WHAT names it."
  (let ((end (+ (float-time) 60)) found)
    (while (not (setq found (funcall predicate)))
      (when (> (float-time) end) (error "Not within a minute: %s" what))
      (accept-process-output nil 0.05))
    found))

(defun flux-check (what found expected)
  "Fail unless FOUND is EXPECTED; WHAT names it."
  (unless (equal found expected) (error "%s: expected %S, found %S" what expected found))
  (setq flux-checks (1+ flux-checks)))

(defun flux-frame () "The active frame." (dap--debug-session-active-frame (flux-session)))

(defun flux-place ()
  "The step of the active frame, and the place of the cursor."
  ;; The client moves the selected window, and the buffer of this code stays current.
  (with-current-buffer (window-buffer (selected-window))
    (list (gethash "name" (flux-frame))
          (and buffer-file-name (file-name-nondirectory buffer-file-name))
          (line-number-at-pos))))

(defun flux-stop (what move)
  "Call MOVE, wait until the thread has stopped again, and return `flux-place'; WHAT names the move."
  (funcall move)
  (flux-wait what #'flux-frame)
  (flux-place))

(defun flux-request (method &rest arguments)
  "Send the request METHOD with ARGUMENTS, and return the body of the answer."
  (apply #'dap-request (flux-session) method arguments))

(defun flux-move (command)
  "Move the active thread by COMMAND, as a user does, and return `flux-place'."
  (flux-stop (symbol-name command) (lambda () (call-interactively command))))

(defun flux-value (expression &optional context)
  "The value of EXPRESSION at the active frame, as the adapter shows it in CONTEXT."
  (gethash "result" (flux-request "evaluate" :expression expression :context (or context "watch")
                                  :frameId (gethash "id" (flux-frame)))))

(defun flux-variables (reference)
  "The variables behind REFERENCE, by name."
  (mapcar (lambda (variable) (cons (gethash "name" variable) variable))
          (gethash "variables" (flux-request "variables" :variablesReference reference))))

(defun flux-scope (name)
  "The reference of the scope NAME of the active frame."
  (let ((scopes (gethash "scopes" (flux-request "scopes" :frameId (gethash "id" (flux-frame))))))
    (gethash "variablesReference"
             (cl-find name scopes :test #'equal :key (lambda (scope) (gethash "name" scope))))))

;;; The story

(defun flux-start ()
  "Open the log with its app, and stop before the first step."
  (dap-debug (list :type "flux" :request "launch" :name "Chat" :program flux-log
                   :app flux-app :sourceRoots (vector flux-sources) :stopOnEntry t))
  (flux-wait "the entry" #'flux-frame)
  (flux-check "a message of the adapter"
              (with-current-buffer (dap--debug-session-output-buffer (flux-session)) (buffer-string))
              (concat flux-log ": Chat 1.0\n")))

(defun flux-break-at-lines ()
  "Set a breakpoint with a condition at a line, and go there forwards and backwards."
  (find-file (expand-file-name "OutboxStore.swift" flux-sources))
  (goto-char (point-min))
  (forward-line 59)
  (dap-breakpoint-add)
  (flux-check "the first delivery" (flux-move #'dap-continue)
              '("30 outbox/message/deliver" "OutboxStore.swift" 60))
  (cl-letf (((symbol-function 'read-string) (lambda (&rest _) "length(outbox.queue) > 1")))
    (call-interactively #'dap-breakpoint-condition))
  (flux-check "a delivery with two messages" (flux-move #'dap-continue)
              '("59 outbox/message/deliver" "OutboxStore.swift" 60))
  (flux-check "the length of the queue" (flux-value "length(outbox.queue)") "2"))

(defun flux-walk-backwards ()
  "Go back to a change of the data, and from there to the cause."
  (dap-breakpoint-delete-all)
  (let ((info (flux-request "dataBreakpointInfo" :variablesReference (flux-scope "outbox") :name "queue")))
    (flux-check "the data of a variable" (gethash "dataId" info) "outbox.queue"))
  (flux-request "setDataBreakpoints" :breakpoints [(:dataId "outbox.queue[0].phase")])
  (flux-check "the last change of the phase" (flux-move #'flux-dap-reverse-continue)
              '("57 outbox/message/failed" "Outgoing.swift" 77))
  (flux-check "the phase" (flux-value "outbox.queue[0].phase")
              "{\"failed\":{\"reason\":\"too many messages\"}}")
  (flux-check "the chain of causes"
              (mapcar (lambda (frame) (gethash "name" frame))
                      (gethash (dap--debug-session-thread-id (flux-session))
                               (dap--debug-session-thread-stack-frames (flux-session))))
              '("57 outbox/message/failed" "55 outbox/message/failed" "53 outbox/message/failed"
                "51 outbox/message/deliver" "50 outbox/send"))
  (flux-request "setDataBreakpoints" :breakpoints [])
  (flux-check "the cause" (flux-move #'dap-step-out)
              '("55 outbox/message/failed" "Outgoing.swift" 77))
  (flux-check "a step back" (car (flux-move #'flux-dap-step-back)) "54 outbox/message/began")
  (flux-check "a step forwards" (car (flux-move #'dap-step-in)) "55 outbox/message/failed"))

(defun flux-threads ()
  "The names of the threads."
  (mapcar (lambda (thread) (gethash "name" thread)) (gethash "threads" (flux-request "threads"))))

(defun flux-switch-thread (name)
  "Switch to the thread whose label contains NAME."
  (setf (dap--debug-session-active-frame (flux-session)) nil)
  (cl-letf (((symbol-function 'completing-read)
             (lambda (_ choices &rest _)
               (cl-find-if (lambda (choice) (string-match-p (regexp-quote name) choice))
                           (mapcar (lambda (choice) (if (consp choice) (car choice) choice)) choices)))))
    (call-interactively #'dap-switch-thread)
    (flux-wait "the thread" #'flux-frame)))

(defun flux-fork ()
  "Fork at the frame, change a value there, continue, and compare."
  (flux-check "the same step on a fork"
              (flux-move #'dap-restart-frame)
              '("55 outbox/message/failed" "Outgoing.swift" 77))
  (flux-check "the threads" (flux-threads) '("Chat (chat.jsonl)" "fork 1 after step 54"))
  (flux-switch-thread "fork 1")
  (flux-check "a value before" (flux-value "connection.position") "7")
  (flux-request "setVariable" :variablesReference (flux-scope "connection") :name "position" :value "8")
  (flux-check "a fork with a changed value" (flux-threads)
              '("Chat (chat.jsonl)" "fork 1 after step 54" "fork 2 after step 55"))
  (flux-switch-thread "fork 2")
  (flux-check "a value after" (flux-value "connection.position") "8")
  (flux-check "the end of the fork" (car (flux-move #'dap-continue)) "start of the fork, after step 55")
  (flux-check "the comparison" (flux-value "compare" "repl")
              "at the end, compared with step 54
~ /connection/position: 7 -> 8
- /outbox/queue/0/phase/sending: {}
+ /outbox/queue/0/phase/scheduled: {}
~ /outbox/queue/0/refusals: 1 -> 2"))

(defun flux-end ()
  "End the session; the program ends with it."
  (let ((process (dap--debug-session-proc (flux-session))))
    (call-interactively #'dap-disconnect)
    (flux-wait "the end of the program" (lambda () (not (process-live-p process))))
    (flux-check "its exit code" (process-exit-status process) 0)))

(flux-start)
(flux-break-at-lines)
(flux-walk-backwards)
(flux-fork)
(flux-end)
(message "Emacs: %d checks passed" flux-checks)

(provide 'chat-in-emacs)
;;; chat-in-emacs.el ends here
