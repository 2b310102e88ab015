;;; flux-dap.el --- Step through Flux recordings with dap-mode or dape -*- lexical-binding: t; -*-

;; Package-Requires: ((emacs "28.1"))

;;; Commentary:

;; With dap-mode: (require 'flux-dap), then M-x flux-dap-open.
;; With dape: the same file adds the configuration `flux'.
;; Both: M-x flux-dap-step-back and M-x flux-dap-reverse-continue, which neither client has.
;;
;; Other attributes for dap-mode, then M-x dap-debug:
;;
;;   (dap-register-debug-template
;;    "Shop with its app"
;;    (list :type "flux" :request "launch" :name "Shop with its app"
;;          :program "/src/shop/shop.jsonl" :app "/src/shop/.build/debug/shop"
;;          :sourceRoots (vector "/src/shop")))

;;; Code:

(defgroup flux-dap nil
  "Step through recordings of Flux-style apps."
  :group 'tools)

(defcustom flux-dap-executable "flux-inspect"
  "The flux-inspect program."
  :type 'string)

(defvar dap-output-buffer-filter)
(defvar dape-configs)
(declare-function dap-register-debug-provider "dap-mode")
(declare-function dap-debug "dap-mode")
(declare-function dap--cur-session-or-die "dap-mode")
(declare-function dap--step "dap-mode")
(declare-function dape-cwd "dape")
(declare-function dape--live-connection "dape")
(declare-function dape--next-like-command "dape")

(defun flux-dap--provide (configuration)
  "Complete CONFIGURATION with the program that serves the protocol.
A configuration with a :debugServer connects to an adapter that runs already."
  (if (plist-get configuration :debugServer)
      configuration
    (plist-put configuration :dap-server-path (list flux-dap-executable "dap"))))

(with-eval-after-load 'dap-mode
  (dap-register-debug-provider "flux" #'flux-dap--provide)
  ;; The adapter's own messages; nil shows every category.
  (when dap-output-buffer-filter
    (add-to-list 'dap-output-buffer-filter "console")))

(with-eval-after-load 'dape
  (add-to-list 'dape-configs
               `(flux
                 modes (swift-mode swift-ts-mode js-json-mode)
                 command ,flux-dap-executable
                 command-args ("dap")
                 :type "flux"
                 :request "launch"
                 :program (lambda () (read-file-name "Log: "))
                 :sourceRoots (lambda () (vector (dape-cwd))))))

;;;###autoload
(defun flux-dap-open (log &optional root)
  "Step through the recording LOG, with the sources below ROOT."
  (interactive "fLog: \nDSources: ")
  (require 'dap-mode)
  (dap-debug
   (list :type "flux"
         :request "launch"
         :name "Flux recording"
         :program (expand-file-name log)
         :sourceRoots (vector (expand-file-name (or root default-directory))))))

(defun flux-dap--move (command)
  "Send COMMAND, a request that moves a thread, with the client that has a session."
  (let ((connection (and (featurep 'dape) (dape--live-connection 'stopped t))))
    (cond (connection (dape--next-like-command connection (intern (concat ":" command))))
          ((featurep 'dap-mode) (dap--step command (dap--cur-session-or-die)))
          (t (user-error "No recording is stopped")))))

;;;###autoload
(defun flux-dap-step-back ()
  "Go to the previous step of the recording."
  (interactive)
  (flux-dap--move "stepBack"))

;;;###autoload
(defun flux-dap-reverse-continue ()
  "Go back to the previous breakpoint."
  (interactive)
  (flux-dap--move "reverseContinue"))

(provide 'flux-dap)
;;; flux-dap.el ends here
