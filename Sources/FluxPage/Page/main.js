document.body.append("the page");
